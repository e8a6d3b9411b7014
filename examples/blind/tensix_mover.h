/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Part of tensix.c: XMOV, which has the mover copy or clear rows of 16 bytes. All is done at once, so nobody waits for it.
 */

enum { L0_TO_L1 = 0, L1_TO_L0 = 1, L0_TO_L0 = 2, L1_TO_L1 = 3 }; /* what the page calls XMOV_L0_TO_L1 and so on */

/* NULL, or why a range of L1 can not be moved as a whole. Its first byte is in L1, and it is no longer than 1 MiB. */
static const char *check_l1_range(uint32_t first, uint32_t count) {
    if (first + count > tensix_sram_size()) return "a range that ends beyond L1, of which the page says nothing";
    for (uint32_t at = 0; at < count; at += 16)
        if (!l1_row(first + at)) return not_shown;
    return NULL;
}

static uint32_t move_to_l1(uint32_t dst, uint32_t src, uint32_t count, int copies) {
    const char *why = check_l1_range(dst, count);
    if (!why && copies) why = check_l1_range(src, count);
    if (!why && copies && count && src < dst + count && dst < src + count) why = "memcpy of ranges that overlap";
    if (why) return unsupported(why);
    for (uint32_t at = 0; at < count; at += 16) {
        uint8_t *to = write_row(l1_row(dst + at));
        if (copies) memcpy(to, read_row(l1_row(src + at)), 16);
        else memset(to, 0, 16);
    }
    return TANDEM_DONE;
}

/* The range begins dst bytes behind TENSIX_CFG_BASE, where both banks lie, one behind the other. A row of 16 bytes is in one
 * bank, since a bank is a whole number of rows. */
static uint32_t move_to_config(uint32_t dst, uint32_t src, uint32_t count, int copies) {
    const uint32_t words = config_words(), first = dst / 4, end = (dst + count) / 4;
    if (count == 0) return TANDEM_DONE;
    if (end > 2 * words) return unsupported("what lies behind both banks of Config is not in the state");
    for (uint32_t i = first_global_word(); i < words; i++)
        if (config_word(0, i) && first <= i && words + i < end)
            return unsupported("a word that both banks share twice, in an order that the page does not say");
    if (copies) {
        const char *why = check_l1_range(src, count);
        for (uint32_t s = 0; s < 2; s++)
            if (first <= s * words + STATE_RESET_EN && s * words + STATE_RESET_EN < end)
                why = "STATE_RESET_EN among others, in an order that the page does not say";
        if (why) return unsupported(why);
    }
    for (uint32_t at = 0; at < count; at += 16) {
        uint32_t row[4] = {0};
        if (copies) memcpy(row, read_row(l1_row(src + at)), sizeof row);
        for (uint32_t i = 0; i < 4; i++) {
            const uint32_t word = (dst + at) / 4 + i;
            write_config(word / words, word % words, row[i]); /* of STATE_RESET_EN: only zeros come here */
        }
    }
    return TANDEM_DONE;
}

static uint32_t xmov(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    const uint32_t s = state_id(c->thread);
    const uint32_t dst = GET("Config[%u].THCON_SEC0_REG6_Destination_address", s, 0) << 4;
    const uint32_t src = GET("Config[%u].THCON_SEC0_REG6_Source_address", s, 0) << 4;
    const uint32_t count = (GET("Config[%u].THCON_SEC0_REG6_Buffer_size", s, 0) & 0xffff) << 4;
    const uint32_t mode = GET("Config[%u].THCON_SEC0_REG6_Transfer_direction", s, 0);
    const int to_l1 = mode == L1_TO_L1 || mode == L0_TO_L1, copies = mode == L1_TO_L1 || mode == L1_TO_L0;
    const int to_config = dst <= 0xffff, to_iram = 0x40000 <= dst && dst <= 0x4ffff;
    if (to_l1) {
        if (dst >= tensix_sram_size()) return unsupported("a destination beyond L1 is UndefinedBehavior");
    } else if (to_config || to_iram) { /* both regions begin at a multiple of 64 KiB */
        if ((dst & 0xffff) + count > 0x10000) return unsupported("more than one region is UndefinedBehavior");
    } else if (count) {
        return unsupported("NOWHERE has no address, on which UndefinedBehavior hangs");
    }
    if (copies && src >= tensix_sram_size()) return unsupported("a source beyond L1 is UndefinedBehavior");
    if (to_l1) return move_to_l1(dst, src, count, copies);
    if (to_config) return move_to_config(dst, src, count, copies);
    return TANDEM_DONE; /* the Instruction RAM of RISCV NC is not in the state */
}
