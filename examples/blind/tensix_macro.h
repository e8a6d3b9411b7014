/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Part of tensix.c: SFPLOADMACRO of Wormhole, which loads and then has one more instruction executed. What it could
 * schedule besides shows only in time, of which the state has nothing: then nothing is promised.
 */

enum { SIMPLE_UNIT, MAD_UNIT, ROUND_UNIT, STORE_UNIT };
enum { IN_SIMPLE = 1, IN_MAD = 2, IN_ROUND = 4, IN_STORE = 8, IN_LOAD = 16 }; /* IN_LOAD: in no column of the table */
enum { HAS_VC = 1, HAS_VB = 2 };

typedef struct {
    uint32_t units, registers, fields; /* its columns; what of VC and VB the word has; the bits that belong to fields */
    execute_one *execute;              /* NULL: not here */
} of_vector_unit;

static uint32_t nothing(const uint32_t *code) { return (void)code, TANDEM_DONE; }

enum { FIRST_OF_VECTOR_UNIT = 0x70, LAST_OF_VECTOR_UNIT = 0x95, OPCODE_SFPNOP = 0x8f, OPCODE_SFPLUT = 0x73,
       OPCODE_SFPSTORE = 0x72 };

/* By opcode. */
static const of_vector_unit vector_unit[] = {
    {IN_LOAD, 0, 0, NULL},                                  /* SFPLOAD */
    {IN_LOAD, 0, 0, NULL},                                  /* SFPLOADI */
    {IN_STORE, 0, 0xffc3ff, sfpstore},
    {IN_MAD, 0, 0xff0000, sfplut},
    {IN_MAD, 0, 0xffffff, sfpmuli},
    {IN_MAD, 0, 0xffffff, sfpaddi},
    {IN_SIMPLE, HAS_VC, 0, NULL},                           /* SFPDIVP2 */
    {IN_SIMPLE, HAS_VC, 0x000fff, sfpexexp},
    {IN_SIMPLE, HAS_VC, 0, NULL},                           /* SFPEXMAN */
    {IN_SIMPLE, HAS_VC, 0xffffff, sfpiadd},
    {IN_SIMPLE, HAS_VC, 0xffffff, sfpshft},
    {IN_SIMPLE, HAS_VC, 0x001fff, sfpsetcc},
    {IN_SIMPLE, HAS_VC, 0x000fff, sfpmov},
    {IN_SIMPLE, HAS_VC, 0x000fff, sfpabs},
    {IN_SIMPLE, HAS_VC, 0x000ff0, sfpand},
    {IN_SIMPLE, HAS_VC, 0x000ff0, sfpor},
    {IN_SIMPLE, HAS_VC, 0x000ff0, sfpnot},
    {IN_SIMPLE, HAS_VC, 0x000fff, sfplz},
    {IN_SIMPLE, HAS_VC, 0, NULL},                           /* SFPSETEXP */
    {IN_SIMPLE, HAS_VC, 0, NULL},                           /* SFPSETMAN */
    {IN_MAD, HAS_VC | HAS_VB, 0x0fffff, sfpmad},
    {IN_MAD, HAS_VC | HAS_VB, 0x0fffff, sfpadd},
    {IN_MAD, HAS_VC | HAS_VB, 0x0fffff, sfpmul},
    {IN_SIMPLE, 0, 0, NULL},                                /* SFPPUSHC */
    {IN_SIMPLE, 0, 0, NULL},                                /* SFPPOPC */
    {IN_SIMPLE, HAS_VC, 0x001fff, sfpsetsgn},
    {IN_SIMPLE, 0, 0x0030ff, sfpencc},
    {IN_SIMPLE, 0, 0, NULL},                                /* SFPCOMPC */
    {IN_SIMPLE, 0, 0, NULL},                                /* SFPTRANSP */
    {IN_SIMPLE, HAS_VC, 0x000ff0, sfpxor},
    {IN_ROUND, HAS_VC | HAS_VB, 0x3fffff, sfpstochrnd},
    {IN_SIMPLE | IN_MAD | IN_ROUND, 0, 0xffffff, nothing},  /* SFPNOP */
    {IN_SIMPLE, HAS_VC, 0x000fff, sfpcast},
    {IN_SIMPLE, 0, 0xffffff, sfpconfig},
    {IN_SIMPLE, HAS_VC, 0, NULL},                           /* SFPSWAP, whose SFPNOP beside it is missing */
    {IN_LOAD, 0, 0, NULL},                                  /* SFPLOADMACRO */
    {IN_ROUND, HAS_VC, 0, NULL},                            /* SFPSHFT2 */
    {IN_MAD, 0, 0x0000ff, sfplutfp32},
};

/* A row of LoadMacroConfig if it is the same for all lanes. */
static int same_in_all_lanes(uint32_t row, uint32_t *word) {
    *word = load_macro(row, 0);
    for (unsigned lane = 1; lane < 8; lane++)
        if (load_macro(row, lane) != *word) return 0;
    return 1;
}

/* The instruction that is scheduled, and into scheduled what overrides its fields; nothing is changed yet. */
static uint32_t schedule(const context *c, uint32_t load_vd, execute_one **execute, uint32_t *insn) {
    const uint32_t macro = bits(c->code, 22, 2);
    uint32_t sequence, unit = SIMPLE_UNIT, units = 0, any = 0, delay_kinds = 0;
    *execute = nothing, *insn = 0;
    for (unsigned lane = 0; lane < 8; lane++) {
        const uint32_t word = load_macro(4 + macro, lane);
        delay_kinds |= bits(load_macro(8, lane), 8, 4);
        any |= word & 0x07070707;
        for (unsigned i = 0; i < 4; i++)
            if (bits(word, i * 8, 3) == 1) return unsupported("this sequence is UndefinedBehavior");
    }
    if (!any) return TANDEM_DONE;
    if (!same_in_all_lanes(4 + macro, &sequence)) return unsupported("sequences that differ between lanes");
    for (unsigned i = 0; i < 4; i++)
        if (bits(sequence, i * 8, 3)) unit = i, units++;
    if (units > 1) return unsupported("several sub-units: what executes when is not in the state");
    const uint32_t byte = bits(sequence, unit * 8, 8), kind = byte & 7;
    if (bits(byte, 3, 3) && (delay_kinds >> unit & 1)) return unsupported("it waits for instructions that do not come");

    switch (kind) {
    case 2: *insn = (uint32_t)OPCODE_SFPNOP << 24; break;
    case 3: *insn = (uint32_t)OPCODE_SFPSTORE << 24; break; /* and VD is 0 */
    default:
        if (!same_in_all_lanes(kind - 4, insn)) return unsupported("templates that differ between lanes");
    }
    const uint32_t opcode = *insn >> 24;
    if (opcode < FIRST_OF_VECTOR_UNIT || opcode > LAST_OF_VECTOR_UNIT)
        return unsupported("a template that is no instruction of the Vector Unit");
    const of_vector_unit *of = &vector_unit[opcode - FIRST_OF_VECTOR_UNIT];
    if (!(of->units >> unit & 1)) { /* it becomes SFPNOP */
        if (unit == STORE_UNIT) return unsupported("SFPNOP to store is UndefinedBehavior");
        return TANDEM_DONE;
    }
    if (!of->execute) return unsupported("a template of an instruction that is not here");
    if (*insn & 0xffffff & ~of->fields) return unsupported("a bit of the template that belongs to no field");

    const int use_16 = byte >> 6 & 1, bit_7 = byte >> 7 & 1;
    const uint32_t vd = bits(*insn, opcode == OPCODE_SFPLUT || opcode == OPCODE_SFPSTORE ? 20 : 4, 4);
    if (unit == STORE_UNIT) {
        const uint32_t misc = load_macro(8, 0), of_load = misc >> (4 + macro) & 1;
        for (unsigned lane = 1; lane < 8; lane++) {
            const uint32_t other = load_macro(8, lane);
            if ((other >> (4 + macro) & 1) != of_load || (!of_load && bits(other, 0, 4) != bits(misc, 0, 4)))
                return unsupported("Mod0 of the store differs between lanes");
        }
        scheduled.vd = use_16 ? 16 : bit_7 ? vd : load_vd;
        scheduled.mod0 = of_load ? bits(c->code, 16, 4) : bits(misc, 0, 4);
    } else {
        const uint32_t vb = of->registers & HAS_VB ? bits(*insn, 12, 4) : vd;
        const uint32_t vc = of->registers & HAS_VC ? bits(*insn, 8, 4) : vd;
        scheduled.vb = bit_7 ? load_vd : vb;
        scheduled.vc = bit_7 ? vc : load_vd;
        scheduled.vd = use_16 ? 16 : load_vd;
    }
    *execute = of->execute;
    return TANDEM_DONE;
}

static uint32_t sfploadmacro(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    const uint32_t load_vd = bits(c->code, 0, 1) << 2 | bits(c->code, 20, 2), s = state_id(c->thread);
    execute_one *execute;
    uint32_t insn;
    if (bits(c->code, 10, 4)) return unsupported("a bit that belongs to no field");
    const uint32_t outcome = schedule(c, load_vd, &execute, &insn);
    if (outcome != TANDEM_DONE) return outcome;
    scheduled.addr = dst_address(c, resolve(bits(c->code, 16, 4), s, 1), s, 1);
    load_to(code, load_vd);
    scheduled.is_on = 1;
    execute(&insn);
    scheduled.is_on = 0;
    return TANDEM_DONE;
}
