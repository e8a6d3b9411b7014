#!/usr/bin/env python3
"""Runs tandem against public simulators, and writes what came of it.

    simulators.py ttsim [--source DIR] [--chip CHIP] [--instruction NAME…] [--out DIR] [--tandem PATH]
    simulators.py report            makes reports/simulators.md and .html of what runs left, of committed matrices and of causes
    simulators.py --self-check      tries this program on a small target with a known mistake

The first clones the pinned commit of the simulator, or takes --source, builds the adapter that lies in a folder of its
own beside this file, runs `tandem fuzz` for each instruction, and writes DIR/SIMULATOR.json. Exit codes: 0 the matrix is
written, whatever it says; 2 the command line is wrong, or the source; 3 there is no source and no network; 4 no compiler;
5 the adapter cannot be built; 6 tandem cannot be run, or a self-check failed.
"""
import argparse
import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import page
import witnesses
from report import causes_of, explains, known, markdown, share, update, write
from stop import Stop

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent

# What a simulator refuses to hold in any case: held at 0, so that cases are about what it answers. * stands for any index.
TTSIM_HOLD = [
    'Config[*].DEST_REGW_BASE_Base', 'Config[*].DEST_SP_BASE_Base', 'Config[*].ALU_FORMAT_SPEC_REG_SrcB_override',
    'Config[*].ALU_FORMAT_SPEC_REG_Dstacc_override', 'Config.DEST_ACCESS_CFG_remap_addrs', 'Config.DEST_ACCESS_CFG_swizzle_32b',
    'ThreadConfig[*].FP16A_FORCE_Enable', 'ThreadConfig[*].FIDELITY_BASE_Phase', 'ThreadConfig[*].SFPU_STACK_Incr',
    'ThreadConfig[*].SFPU_DEST_FMT_Enable', 'ThreadConfig[*].SFPU_DEST_FMT_Base', 'ThreadConfig[*].SRCA_SET_Base',
    'ThreadConfig[*].SRCA_SET_SetOvrdWithAddr', 'ThreadConfig[*].SRCB_SET_Base', 'RWCs[*].Sp', 'Unpackers[*].SrcRow[*]',
    'Unpackers[*].ContextCounter[*]', 'WaitGate[*].LatchedWaitInstruction.Opcode', 'WaitGate[*].LatchedWaitInstruction.ConditionMask',
    'WaitGate[*].LatchedWaitInstruction.BlockMask', 'WaitGate[*].LatchedWaitInstruction.SemaphoreMask',
    'LaneConfig[*].ENABLE_FP16A_INF', 'LaneConfig[*].DISABLE_BACKDOOR_LOAD', 'LaneConfig[*].CAPTURE_DEFAULT_DEST_INDEX',
    'LaneConfig[*].BLOCK_DEST_WR_FROM_SFPU', 'LaneConfig[*].BLOCK_SFPU_RD_FROM_DEST', 'LaneConfig[*].DEST_RD_COL_EXCHANGE',
    'LaneConfig[*].DEST_WR_COL_EXCHANGE', 'LaneConfig[*].BLOCK_DEST_MOV', 'LaneConfig[*].ROW_MASK',
    'LaneConfig[*].Reserved11', 'LaneConfig[*].Reserved16',
]

# What ttsim has once for all lanes: off in all, or on in all.
TTSIM_OFF = {'UseLaneFlagsForLaneEnable': 0, 'LaneConfig[*].ENABLE_DEST_INDEX': 0, 'LaneConfig[*].EXCHANGE_SRCB_SRCC': 0}
TTSIM_ON = {**TTSIM_OFF, 'UseLaneFlagsForLaneEnable': 0xffffffff}
TTSIM_OTHERWISE = {'LaneConfig[*].ENABLE_DEST_INDEX': 1, 'LaneConfig[*].EXCHANGE_SRCB_SRCC': 1}
# It takes rows in blocks, whatever the sums, and refuses some ways to move the counter of Dst: now the code says which row, and
# now the counter.
TTSIM_ROWS = [
    {'RWCs[*].SrcA': 0, 'RWCs[*].SrcB': 0, 'DstRow': 0, 'Move8Rows': 1, 'ThreadConfig[*].ADDR_MOD_DST_SEC[*].DestCToCR': 0},
    {'SrcRow': 0, 'SrcARow': 0, 'SrcBRow': 0, 'RWCs[*].Dst': 0, 'ThreadConfig[*].DEST_TARGET_REG_CFG_MATH_Offset': 0, 'Move8Rows': 1,
     'ThreadConfig[*].ADDR_MOD_DST_SEC[*].DestClear': 0, 'ThreadConfig[*].ADDR_MOD_DST_SEC[*].DestCR': 0},
]
# What of the Unpackers it has no storage for, cannot be written, or is refused in every case; then where data go, and by which context.
TTSIM_UNHELD = {
    **{f'Config[*].THCON_SEC*_{name}': 0 for name in (
        'REG0_TileDescriptor_BlobsYStart_Hi', 'REG0_TileDescriptor_BlobsYStart_Lo', 'REG0_TileDescriptor_DigestSize',
        'REG0_TileDescriptor_WDim', 'REG2_Unpack_fifo_size', 'REG2_Unpack_limit_address', 'REG2_Unpack_Src_Reg_Set_Upd',
        'REG2_Ovrd_data_format', 'REG2_Upsample_rate')},
    **{f'Config[*].THCON_SEC*_REG{name}': 0 for name in (
        *[f'{3 + i // 4}_Base_cntx{i}_address' for i in range(2, 8)], *[f'5_Dest_cntx{i}_address' for i in (2, 3)],
        *[f'5_Tile_x_dim_cntx{i}' for i in (2, 3)], *[f'7_Offset_cntx{i}_address' for i in (2, 3)],
        *[f'7_Unpack_{out}data_format_cntx{i}' for out in ('', 'out_') for i in (2, 3, 6, 7)])},
    **{f'Config[*].THCON_SEC1_{name}': 0 for name in (
        'REG1_ovrd_default_throttle_mode', 'REG5_Dest_cntx0_address', 'REG5_Dest_cntx1_address', 'REG5_Tile_x_dim_cntx0',
        'REG5_Tile_x_dim_cntx1', 'REG7_Offset_address', 'REG7_Offset_cntx1_address', 'REG7_Unpack_data_format_cntx*',
        'REG7_Unpack_out_data_format_cntx*')},
    **{f'Config[*].UNP*_ADDR_{name}': 0 for name in (
        'BASE_REG_0_Base', 'BASE_REG_1_Base', 'CTRL_XY_REG_0_Xstride', 'CTRL_XY_REG_0_Ystride', 'CTRL_ZW_REG_0_Zstride',
        'CTRL_ZW_REG_0_Wstride')},
    'Config[*].UNP0_BLOBS_Y_START_CNTX_01_blobs_y_start': 0, 'Config[*].UNP0_BLOBS_Y_START_CNTX_23_blobs_y_start': 0,
    'Config[*].UNP1_ADDR_CTRL_XY_REG_1_Xstride': 0, 'Config[*].UNP1_ADDR_CTRL_XY_REG_1_Ystride': 0,
    'Config[*].UNP1_FORCED_SHARED_EXP_shared_exp': 0, 'Config[*].UNP1_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr': 0,
    'Config[*].THCON_SEC*_REG2_Disable_zero_compress_cntx*': 1, 'ADCs[*].Unpacker[*].Channel[1].W': 0,
    'ThreadConfig[*].SRCB_SET_Base': 0,
    'MultiContextMode': 1, 'ContextNumber': 0, 'ContextADC': 0, 'UseContextCounter': 0, 'RowSearch': 0,
}
TTSIM_UNPACR = [{**TTSIM_UNHELD, 'ThreadConfig[*].UNPACK_MISC_CFG_CfgContextOffset_*': context, **to} for context in (0, 1) for to in (
    {'ThreadConfig[*].SRCA_SET_SetOvrdWithAddr': 1, 'Config[*].THCON_SEC*_REG2_Unpack_if_sel_cntx*': 0},
    {'ThreadConfig[*].SRCA_SET_SetOvrdWithAddr': 0, 'Config[*].THCON_SEC*_REG2_Unpack_if_sel_cntx*': 1, 'WhichUnpacker': 0})]
# Of memory-mapped registers it keeps some of each stream: REMOTE_SRC of stream 0 of Wormhole, and of stream 1 of Blackhole.
TTSIM_STOREREG = [{'Mmio[*].AddrLo': address, 'AddrLo': address} for address in (0x10000, 0x10404)]
TTSIM_NAMED = {'Config[*].Word*Bits*to*': 0, 'Config.Word*Bits*to*': 0, 'ThreadConfig[*].Word*Bits*to*': 0}

# tt-sim has no stack pointer.
TT_SIM_HOLD = ['RWCs[*].Sp']

# tensix-isa-simulator has floats in place of formats: it holds TF32, with Dst of 32 bits, and BF16 where nothing is rounded.
ISA_SIM_HOLD = [name for name in TTSIM_HOLD if name.startswith(('LaneConfig', 'WaitGate')) and 'BACKDOOR' not in name]
ISA_SIM_HOLD += ['LaneConfig[*].ENABLE_DEST_INDEX', 'LaneConfig[*].EXCHANGE_SRCB_SRCC', 'MatrixUnit.SrcABank',
                 'MatrixUnit.SrcBBank', 'Unpackers[*].SrcBank', 'Unpackers[*].SrcRow[*]']
ISA_SIM_OFF = {'UseLaneFlagsForLaneEnable': 0, 'LaneConfig[*].DISABLE_BACKDOOR_LOAD': 1}
ISA_SIM_ON = {**ISA_SIM_OFF, 'UseLaneFlagsForLaneEnable': 0xffffffff}
ISA_SIM_LANES = [ISA_SIM_OFF, ISA_SIM_ON]
ISA_SIM_STACK = [{**lanes, **{f'FlagStack[{i}].{name}': 0xffffffff * (i < height) for i in range(8)
                              for name in ('Occupied', 'UseLaneFlagsForLaneEnable')}}
                 for lanes in ISA_SIM_LANES for height in (0, 2, 8)]
ISA_SIM_TF32 = {
    'Config[*].ALU_FORMAT_SPEC_REG_SrcA_override': 0, 'Config[*].ALU_FORMAT_SPEC_REG_SrcB_override': 0,
    'Config[*].ALU_FORMAT_SPEC_REG0_SrcA': 4, 'Config[*].ALU_FORMAT_SPEC_REG1_SrcB': 4, 'Config[*].ALU_ACC_CTRL_Fp32_enabled': 1,
    'Config[*].ALU_ACC_CTRL_INT8_math_enabled': 0, 'Config[*].DEST_REGW_BASE_Base': 0, 'UseDst32bLo': 0,
    **{f'ThreadConfig[*].{name}': 0 for name in ('FP16A_FORCE_Enable', 'FIDELITY_BASE_Phase', 'ADDR_MOD_SET_Base',
                                                'SRCA_SET_Base', 'SRCB_SET_Base', 'CLR_DVALID_SrcA_Disable',
                                                'CLR_DVALID_SrcB_Disable')},
}
ISA_SIM_BF16 = {**ISA_SIM_TF32, 'Config[*].ALU_FORMAT_SPEC_REG0_SrcA': 5, 'Config[*].ALU_FORMAT_SPEC_REG1_SrcB': 5}
# It takes sums of rows modulo nothing, and ends: once anything goes, then the code says which row, and then the counter.
ISA_SIM_ROWS = [{}] + [{**one, 'ThreadConfig[*].DEST_TARGET_REG_CFG_MATH_Offset': 0} for one in
                       ({f'RWCs[*].{name}': 0 for name in ('SrcA', 'SrcB', 'Dst')},
                        {name: 0 for name in ('SrcRow', 'SrcARow', 'SrcBRow', 'DstRow', 'Imm10')})]
ISA_SIM_MATRIX = [{**form, **rows, 'ArgMax': 0} for form in (ISA_SIM_TF32, ISA_SIM_BF16) for rows in ISA_SIM_ROWS]
ISA_SIM_MOVES = [{**one, 'Config[*].ALU_ACC_CTRL_Fp32_enabled': int(i < 3)} for i, one in enumerate(ISA_SIM_MATRIX)]
ISA_SIM_DST = [{**ISA_SIM_TF32, **rows, **lanes, 'Mod0': 0, 'Config[*].ALU_ACC_CTRL_SFPU_Fp32_enabled': 1}
               for rows in ISA_SIM_ROWS for lanes in ISA_SIM_LANES]

# cm-cpu-emulation has no control register: only nearest even and kept denormals are asked for. The rest has no word there.
CM_EMU = {
    'EM': 0xffffffff, 'platform': 1, 'cr0.rounding_mode': 0, 'cr0.DF_denorm': 1, 'cr0.F_denorm': 1, 'cr0.HF_denorm': 1,
    'Pred.id': 0, 'Pred.combine': 0, 'Pred.inverse': 0, 'Dst.operand_class': 0, 'Dst.horizontal_stride': 2,
    'Src0.operand_class': 0, 'Src0.modifiers': 0, 'Src0.vertical_stride': 2, 'Src0.width': 2, 'Src0.horizontal_stride': 1,
}

# A simulator has a folder with a build.py, whose build(source, chip, out) returns what `tandem --target` takes, or raises Stop. `reasons` names the variable of the environment that says where its adapter counts
# refusals, as lines of a number, a tab and a message. `options` are given to tandem. An instruction whose name begins as one of `variants` does is run with
# each of these sets of held fields: what the simulator has once for all lanes is 0 in all, or 1 in all.
SIMULATORS = {
    'ttsim': {
        'folder': 'ttsim',
        'repository': 'https://github.com/tenstorrent/ttsim',
        'commit': '56694c8a',
        'version': '1.10.0',
        'chips': ['tensix-bh', 'tensix-wh'],
        'hold': TTSIM_HOLD,
        'variants': [('SETC16', [TTSIM_NAMED]), ('WRCFG', [TTSIM_NAMED]), ('RMWCIB', [TTSIM_NAMED]), ('RDCFG', [TTSIM_NAMED]),
                     ('CFGSHIFTMASK', [TTSIM_NAMED]), ('REG2FLOP_CONFIGURATION', [TTSIM_NAMED]), ('UNPACR_REGULAR', TTSIM_UNPACR), ('STOREREG', TTSIM_STOREREG),
                     ('MOV', TTSIM_ROWS), ('MVMUL', TTSIM_ROWS), ('GAPOOL', TTSIM_ROWS),
                     ('ELW', TTSIM_ROWS), ('GMPOOL', TTSIM_ROWS), ('SFPSWAP', [TTSIM_OFF, TTSIM_ON, {**TTSIM_ON, **TTSIM_OTHERWISE}]), ('SFP', [TTSIM_OFF, TTSIM_ON])],
        'reasons': 'TTSIM_REASONS',
    },
    'tt-sim': {
        'folder': 'tt_sim',
        'repository': 'https://github.com/mesham/tt-sim',
        'commit': '8b031a64614dbbe63e19f09cc4e59d37eb8f4664',
        'version': None,
        'chips': ['tensix-bh', 'tensix-wh'],
        'hold': TT_SIM_HOLD,
        'reasons': 'TT_SIM_REASONS',
        'cases': 4000,  # half a millisecond each: a matrix takes eleven minutes of one core; with more, more modes are decided
        'most_cases': 4000,
        'options': ['--timeout', '60', '--no-vectors'],  # it takes a second to start; recorded programs have findings of every step
    },
    'tensix-isa-simulator': {
        'folder': 'isa_sim',
        'repository': 'https://github.com/tenstorrent/tensix-isa-simulator',
        'commit': '2f93cce250777dc0c5ec8f14d0f902d8ea7d1dc7',
        'version': None,
        'chips': ['tensix-wh'],
        'hold': ISA_SIM_HOLD,
        'variants': [('MOV', ISA_SIM_MOVES), *[(name, ISA_SIM_MATRIX) for name in ('ELW', 'MVMUL', 'GAPOOL', 'GMPOOL')],
                     *[(name, [ISA_SIM_TF32]) for name in ('ZERO', 'SETRWC', 'UNPACR', 'CLEARDVALID')],
                     ('SETDVALID', [{**ISA_SIM_TF32, 'SrcA[*].AllowedClient': 1, 'SrcB[*].AllowedClient': 1}]),
                     *[(name, ISA_SIM_STACK) for name in ('SFPPUSHC', 'SFPPOPC', 'SFPCOMPC')], ('SFPLOADI', ISA_SIM_LANES),
                     *[(name, ISA_SIM_DST) for name in ('SFPLOAD', 'SFPSTORE')], ('SFP', ISA_SIM_LANES)],
        'options': ['--no-vectors'],  # recorded programs have findings of every step
        'reasons': 'ISA_SIM_REASONS',
    },
    'cm-cpu-emulation': {
        'folder': 'cm_emu',
        'repository': 'https://github.com/intel/cm-cpu-emulation',
        'commit': '8d7b65fafbddf1cbed5e90bfad16153deb38943b',
        'version': None,
        'chips': ['visa'],
        'variants': [('MOV', [CM_EMU]), ('DPAS', [CM_EMU])],
        'cases': 100000,  # of MOV there are 2,931 modes
        'most_cases': 100000,
        'reasons': 'CM_EMU_REASONS',
    },
}


# Which instructions of a simulator are ports of those of another: together they are one witness.
PORTS = {'tt-sim': {'of': 'ttsim', 'instructions': [
    'SFPMAD', 'SFPADD', 'SFPMUL', 'SFPADDI', 'SFPMULI', 'SFPLUT*', 'MVMUL', 'GAPOOL', 'ELW*']}}


def run(command, **options):
    try:
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, **options)
    except OSError as error:
        raise Stop(f'{command[0]} cannot be run: {error.strerror}', 6) from error


def fetch(simulator, folder):
    """The pinned commit of a simulator, from the network."""
    if shutil.which('git') is None:
        raise Stop('there is no git to clone with: give a folder with --source', 3)
    if not (folder / '.git').is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        environment = dict(os.environ, GIT_TERMINAL_PROMPT='0')
        done = run(['git', 'clone', '--quiet', simulator['repository'], str(folder)], env=environment)
        if done.returncode != 0:
            shutil.rmtree(folder, ignore_errors=True)
            reason = (done.stderr.strip().splitlines() or ['no reason given'])[-1]
            raise Stop(f'{simulator["repository"]} cannot be cloned ({reason}): give a folder with --source', 3)
    done = run(['git', '-C', str(folder), 'checkout', '--quiet', simulator['commit']])
    if done.returncode != 0:
        raise Stop(f'{simulator["repository"]} has no commit {simulator["commit"]}', 3)
    return folder


def identity(source, simulator):
    """The commit, its date and the version of a clone; of a folder without a history it is believed that it is what is pinned."""
    if not (source / '.git').exists():
        return {}
    commit, date, subject = run(['git', '-C', str(source), 'log', '-1', '--format=%H%n%cs%n%s']).stdout.split('\n')[:3]
    if commit.startswith(simulator['commit']):
        return {'date': date}
    version = re.search(r'\bv([0-9]+(?:\.[0-9]+)+)', subject)
    return {'commit': commit[:8], 'date': date, 'version': version and version.group(1)}


def build_module(simulator):
    path = HERE / simulator['folder'] / 'build.py'
    loader = importlib.util.spec_from_file_location(f'build_{simulator["folder"]}', path)
    module = importlib.util.module_from_spec(loader)
    loader.loader.exec_module(module)
    return module


def tandem_json(tandem, arguments, environment=None, folder=None):
    done = run([tandem, *arguments], env=environment, cwd=folder)
    try:
        return json.loads(done.stdout), done
    except json.JSONDecodeError:
        return None, done


def describe(tandem, chip):
    known, done = tandem_json(tandem, ['describe', chip, '--json'])
    if known is None:
        raise Stop(f'{tandem} describe {chip} failed: {done.stderr.strip()}', 6)
    return known


def held(patterns, known, instruction=None):
    """FIELD=VALUE for each field that a pattern names, of the state or of the instruction's code."""
    names = [name for field in known['fields'] for name in expand(field['name'])]
    names += [field['name'] for one in known['instructions'] if one['name'] == instruction for field in one['fields']]
    matches = [(re.compile(re.escape(pattern).replace(r'\*', '[0-9]+') + '$'), value) for pattern, value in patterns.items()]
    return [f'{name}={value}' for name in names for match, value in matches if match.match(name)]


def expand(name):
    """The fields that a name such as `RWCs[0..3].Dst` stands for."""
    found = re.search(r'\[0\.\.([0-9]+)\]', name)
    if not found:
        return [name]
    return [one for i in range(int(found.group(1))) for one in expand(name.replace(found.group(0), f'[{i}]', 1))]


def count_reasons(path):
    counts = {}
    for line in path.read_text().splitlines() if path.is_file() else []:
        number, _, text = line.partition('\t')
        counts[text] = counts.get(text, 0) + int(number)
    return [{'message': text, 'cases': number} for text, number in sorted(counts.items(), key=lambda item: (-item[1], item[0]))]


def smallest(finding, number, out, kept):
    """Finding `number` of a run as the matrix has it, with its smallest case in a file that `tandem vectors check` runs again."""
    minimized = finding.get('minimized') or {}
    stored = [out / 'run' / 'findings' / f'{number:03}-{kind}.json' for kind in ('smallest', 'first')]
    case = next((path for path in stored if path.is_file()), None)
    if case:
        kept.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(case, kept)
    return {
        'place': finding['signature']['place'],
        'kind': finding['signature']['kind'],
        'cases': finding['cases'],
        'first': finding['first'],
        'text': minimized.get('text'),
        'size': minimized.get('size'),
        'differences': [{key: one.get(key) for key in ('place', 'kind', 'before', 'expected', 'got')}
                        for one in minimized.get('differences', [])][:4],
        'page': [f'{one["page"]["title"].split(" ")[0]} at {one["page"]["commit"][:8]}, {one["place"]}'
                 for one in finding.get('citations', [])],
        'explanation': finding.get('explanation', []),
        'case': str(kept.relative_to(out)) if case else None,
    }


def run_fuzz(given, simulator, name, target, hold, out, cases):
    """One run of one instruction: its report, or None and the message, and its folder."""
    environment = dict(os.environ)
    if 'reasons' in simulator:
        environment[simulator['reasons']] = str(out / 'reasons.txt')
    shutil.rmtree(out / 'run', ignore_errors=True)
    arguments = ['fuzz', name, '--target', target, '--seed', str(given.seed), '--cases', str(cases), '--threads',
                 str(given.threads), '--out', 'run', '--json', '--quiet']
    arguments += ['--hold', ','.join(hold)] if hold else []
    arguments += [*simulator.get('options', []), *([] if given.causes else ['--no-causes'])]
    report, done = tandem_json(given.tandem, arguments, environment, out)
    return report, (done.stderr.strip().splitlines() or ['no output'])[-1].replace(str(out), 'OUT'), done.returncode


# What of two runs counts for a mode that both looked at: the one that stands first.
STATUSES = 'DPGBHUC'


def merge_statuses(one, other):
    return other if not one else ''.join(min(pair, key=STATUSES.find) for pair in zip(one, other))


def matrix_row(given, simulator, known, instruction, target, hold, out, cases):
    """One instruction of one chip: what was asked, answered, agreed and found, in all variants together."""
    (out / 'reasons.txt').unlink(missing_ok=True)
    name, row = f'{known["isa"]}/{instruction.lower()}', {'chip': known['isa'], 'instruction': instruction}
    variants = next((found for begins, found in simulator.get('variants', []) if instruction.startswith(begins)), [{}])
    total = {'run': 0, 'asked': 0, 'answered': 0}
    foretold, vectors, statuses, findings, rules, disputes, specified, offered = {}, {}, '', {}, [], [], 0, 0
    for variant in variants:
        report, message, code = run_fuzz(given, simulator, name, target, hold + held(variant, known, instruction), out, cases)
        if report is None and ('implement' in message or 'no instruction' in message):
            return {**row, 'state': 'not connected'}
        if report is None:
            return {**row, 'state': 'failed', 'exit': code, 'message': message}
        if not report['result']['units']:
            return {**row, 'state': 'not connected'}
        unit, given.ran = report['result']['units'][0], report['result']
        total['run'] += cases
        total['asked'] += unit['answered'] + unit['refusals']
        total['answered'] += unit['answered']
        observed = unit.get('observed') or {}
        for key, number in (observed.get('foretold') or {}).items():
            foretold[key] = foretold.get(key, 0) + number
        rules += [rule for rule in observed.get('rules', []) if rule['when'] not in [one['when'] for one in rules]]
        statuses, specified = merge_statuses(statuses, unit['map']['statuses']), max(specified, unit['promised'])
        offered, disputes = max(offered, unit['offered']), unit.get('disputes') or disputes
        vectors = vectors or {key: (report['result'].get('vectors') or {}).get(key)
                              for key in ('tests', 'agreed', 'unsupported', 'divergent')}
        for number, finding in enumerate(report['result']['findings'], 1):
            of = (finding['signature']['place'], finding['signature']['kind'])
            if of in findings:
                findings[of]['cases'] += finding['cases']
            else:
                kept = out / 'cases' / simulator['folder'] / f'{name.replace("/", "-")}-{len(findings) + 1}.json'
                findings[of] = smallest(finding, number, out, kept)
    count = {letter: statuses.count(letter) for letter in STATUSES}
    return {
        **row,
        'state': 'answered' if total['answered'] else 'refused',
        'cases': {**total, 'foretold': foretold},
        'modes': {'specified': specified, 'answered': max(offered, sum(count[letter] for letter in 'DPGB')), 'passed': count['G'] + count['B'],
                  'diverged': count['D'], 'disputed': count['P'], 'unsupported': count['U'], 'open': count['H'], 'undefined': count['C']},
        'disputes': disputes,
        'vectors': vectors,
        'findings': list(findings.values()),
        'refusals': count_reasons(out / 'reasons.txt')[:12],
        'rules': [{'when': rule['when'], 'reason': rule['reason']} for rule in rules],
    }


def enough(row):
    """Whether more cases would not find out more of what is answered."""
    return 'cases' not in row or share(row) >= 90


def one_line(row):
    name = f'{row["chip"]}/{row["instruction"].lower()}'
    if 'cases' not in row:
        return f'{name:36} {row["state"]} {row.get("message", "")}'
    modes = row['modes']
    return (f'{name:36} {share(row):3.0f} % of {row["cases"]["asked"]:6} answered; modes {modes["passed"]}/{modes["answered"]}/'
            f'{modes["specified"]}; {len(row["findings"])} findings')


def make_matrix(given, name, simulator):
    out = pathlib.Path(given.out or ROOT / 'target' / 'simulators').resolve()
    out.mkdir(parents=True, exist_ok=True)
    source = pathlib.Path(given.source).resolve() if given.source else fetch(simulator, out / f'{name}-source')
    simulator, given.targets, given.ran = {**simulator, **identity(source, simulator)}, {}, {}
    chips = [given.chip] if given.chip else simulator['chips']
    if given.chip and given.chip not in simulator['chips']:
        raise Stop(f'{name} has no chip {given.chip}; it has {", ".join(simulator["chips"])}', 2)
    if not pathlib.Path(given.tandem).is_file() and shutil.which(given.tandem) is None:
        raise Stop(f'there is no program {given.tandem}: build it with `cargo build --release`, or name it with --tandem', 6)
    module, rows, kept = build_module(simulator), [], known_rows(out / f'{name}.json', simulator)
    for chip in chips:
        known = describe(given.tandem, chip)
        names = [instruction['name'] for instruction in known['instructions']]
        unknown = [one for one in given.instruction if one.upper() not in names]
        if unknown and len(chips) == 1:
            raise Stop(f'{chip} has no instruction {unknown[0]}', 2)
        # Stored cases name the target: as a path in the folder where tandem runs it is the same on every machine.
        target = module.build(source, chip, out / 'built').replace(f'{out}/', './')
        given.targets[chip] = target
        hold = held({pattern: 0 for pattern in simulator.get('hold', [])}, known)
        for instruction in names:
            if not given.instruction or instruction in [one.upper() for one in given.instruction]:
                least, most = given.cases or simulator.get('cases', 8000), given.most_cases or simulator.get('most_cases', 32000)
                for cases in (least, 4 * least, 16 * least):
                    row = matrix_row(given, simulator, known, instruction, target, hold, out, cases)
                    if enough(row) or cases >= most:
                        break
                rows.append(row)
                print(one_line(rows[-1]), flush=True)
                kept[chip, instruction] = rows[-1]
                write_matrix(out / f'{name}.json', name, simulator, given, kept)
    if not rows:
        raise Stop('no instruction was run', 2)
    shutil.rmtree(out / 'run', ignore_errors=True)
    return rows


def known_rows(path, simulator):
    """What is in the matrix already: of the same commit it stays, so some instructions can be run again."""
    try:
        matrix = json.loads(path.read_text())
    except (OSError, ValueError):
        return {}
    same = matrix.get('commit') == simulator['commit']
    return {(row['chip'], row['instruction']): row for row in matrix['rows']} if same else {}


def write_matrix(path, name, simulator, given, kept):
    before, ran = json.loads(path.read_text()) if path.is_file() else {}, given.ran
    matrix = {'simulator': name, 'version': simulator.get('version'), 'repository': simulator['repository'],
              'commit': simulator['commit'], 'date': simulator.get('date'), 'seed': given.seed,
              'targets': {**before.get('targets', {}), **given.targets},
              'tandem': f'{ran["version"]}, generator {ran["generator"]}' if ran else before.get('tandem'),
              'target': ran['targets'][0] if ran else before.get('target'), 'rows': list(kept.values())}
    beside = path.with_suffix('.part')
    beside.write_text(json.dumps(matrix, indent=1) + '\n')
    beside.replace(path)


def make_report(given, simulators):
    """Takes the matrices of runs into the committed ones, looks for conflicts, and writes the reports of all that is there."""
    out, reports = pathlib.Path(given.out or ROOT / 'target' / 'simulators').resolve(), pathlib.Path(given.reports)
    runs = {name: json.loads((out / f'{name}.json').read_text()) for name in simulators if (out / f'{name}.json').is_file()}
    update(runs, out, reports / 'simulators')
    everything = known(reports / 'simulators', simulators)
    if not everything:
        raise Stop(f'there is no matrix in {out}, nor in {reports}: run `simulators.py {next(iter(simulators))}` first', 2)
    conflicts = witnesses.update(given.tandem, out, reports / 'simulators', runs, everything, PORTS)
    write(reports / 'simulators.md', markdown(everything, conflicts))
    write(reports / 'simulators.html', page.html(everything, conflicts))


# ---- a try of this program itself --------------------------------------------------------------------------------------

FAKE = {
    'folder': 'fake', 'repository': 'file:///nowhere/fake', 'commit': '0', 'chips': ['tensix-wh'],
    'variants': [('MOVA2D', [{'CurrentThread': 0}, {'CurrentThread': 1}])],
}


def check_report(given, folder, expect):
    """Makes the report of the example's matrix, once more from the committed one alone, and of a broken one."""
    given.reports, simulators = str(folder / 'reports'), {'fake': FAKE, 'other': FAKE}
    matrix = json.loads((folder / 'fake.json').read_text())
    case = matrix['rows'][0]['findings'][0]['case']
    text = (folder / case).read_text()
    options = json.loads(text)['finding']['options'][1]
    same = witnesses.retargeted(text, matrix['target'], options) == text
    expect('a stored case of another target is one that tandem reads', same)
    (folder / 'other.json').write_text(json.dumps({**matrix, 'simulator': 'other', 'version': '1.0'}))
    make_report(given, simulators)
    files = {path: path.read_text() for path in sorted((folder / 'reports').rglob('*.*'))}
    conflicts = witnesses.read(folder / 'reports' / 'simulators' / 'conflicts.toml')
    expect('two targets with one mistake are a conflict that nobody has read',
           [(one['instruction'], one['place'], one['simulators'], one['verdict']) for one in conflicts]
           == [('MOVA2D', 'DstBits', ['fake 0', 'other 1.0'], '')] and any(path.stem == conflicts[0]['case'] for path in files))
    for name in ('fake', 'other'):
        (folder / f'{name}.json').unlink()
    older, newer = [known(folder / 'reports' / 'simulators', ['fake'])[0][1][0] for _ in range(2)]
    make_report(given, simulators)
    expect('what is committed makes the same report', files == {path: path.read_text() for path in files})
    older['version'], older['date'] = '0.1', '2026-01-01'
    older['rows'][0]['findings'] = []
    causes = [{'title': 'T', 'verdict': 'open', 'chips': ['tensix-wh'], 'instructions': ['MOVA2D'], 'text': '<',
               'page': 'P', 'case': 'C', 'stored': None}]
    for of in (causes, []):
        made = page.html([('fake', [older, newer], of)], conflicts)
        ids, links = re.findall(r'\bid="([^"]*)"', made), re.findall(r'href="#([^"]*)"', made)
        expect('each finding has a link, and each link an end', len(ids) == len(set(ids)) and set(links) <= set(ids)
               and f'fake-cause-{1 if of else "none"}' in links and 'src=' not in made)
    expect('what came with a version is told', '1 rows of both: new: tensix-wh/MOVA2D DstBits value, without a cause.' in made)
    text, cases = json.dumps(older), json.dumps(older['rows'][0]['cases'])
    for broken in ('{', text.replace(cases, '[1]'), text.replace('"findings": []', '"findings": [{}]')):
        (folder / 'reports' / 'simulators' / 'fake-0.1.json').write_text(broken)
        done = run([sys.executable, str(HERE / 'simulators.py'), 'report', '--out', str(folder), '--reports', given.reports])
        one = done.stderr.count('\n') == 1 and 'fake-0.1.json' in done.stderr
        expect('a broken matrix: one line and exit code 2', done.returncode == 2 and one)


def check_witnesses(expect):
    """Who is a witness, by runs that are made up: two that agree, a port, and one that gives something else."""
    runs = {name: {'target': name, 'targets': {'c': ''}, 'rows': [{'chip': 'c', 'instruction': 'MVMUL', 'findings': [
        {'place': 'P', 'kind': 'value', 'case': name}]}]} for name in ('one', 'two')}
    for what, got, ports, count in [('that agree are a conflict', {'one': ['x'], 'two': ['x']}, {}, 1),
                                    ('of which one is a port there are none', {'one': ['x'], 'two': ['x']},
                                     {'two': {'of': 'one', 'instructions': ['MV*']}}, 0),
                                    ('that are ports elsewhere are a conflict', {'one': ['x'], 'two': ['x']},
                                     {'two': {'of': 'one', 'instructions': ['SFP*']}}, 1),
                                    ('that differ from each other are none', {'one': ['x'], 'two': ['y']}, {}, 0),
                                    ('of which one agrees with the page are none', {'one': ['x'], 'two': []}, {}, 0)]:
        found = witnesses.find(runs, lambda case, name, chip: got[name], ports)
        expect(f'two simulators {what}', len(found) == count)


def self_check(given):
    """Runs the example target, whose one mistake is known, and commands that have to fail with a code of their own."""
    failed = []

    def expect(what, holds):
        print(f'{"ok  " if holds else "FAIL"} {what}', flush=True)
        failed.extend([] if holds else [what])

    with tempfile.TemporaryDirectory() as folder:
        for what, arguments, code, environment in [
                ('an unknown simulator', ['nosuch'], 2, {}),
                ('a folder that is no source', ['ttsim', '--source', folder], 2, {}),
                ('an unknown chip', ['ttsim', '--source', folder, '--chip', 'tensix-zz'], 2, {}),
                ('no source and no network', ['ttsim'], 3, {'GIT_ALLOW_PROTOCOL': 'none'}),
                ('no matrix to report', ['report'], 2, {})]:
            done = run([sys.executable, str(HERE / 'simulators.py'), *arguments, '--out', folder, '--reports', folder,
                        '--tandem', given.tandem], env=dict(os.environ, **environment))
            one = done.stderr.count('\n') == 1 and 'Traceback' not in done.stderr
            expect(f'{what}: one line and exit code {code}', done.returncode == code and one)
        build = build_module(SIMULATORS['ttsim'])
        for needed in build.NEEDED:
            (pathlib.Path(folder) / 'source' / needed).parent.mkdir(parents=True, exist_ok=True)
            (pathlib.Path(folder) / 'source' / needed).touch()
        done = run([sys.executable, str(HERE / 'simulators.py'), 'ttsim', '--source', f'{folder}/source', '--out', folder, '--tandem',
                    given.tandem], env=dict(os.environ, CXX=f'{folder}/no-compiler'))
        expect('no compiler: exit code 4', done.returncode == 4 and 'Traceback' not in done.stderr)
        given.out, given.source, given.chip, given.instruction = folder, folder, 'tensix-wh', ['MOVA2D', 'SETRWC']
        given.cases, given.most_cases = 12000, 12000
        rows = make_matrix(given, 'fake', FAKE)
        mova2d, setrwc = rows[0], rows[1]
        expect('the mistake of the example is the one finding',
               [(one['place'], one['kind']) for one in mova2d.get('findings', [])] == [('DstBits', 'value')])
        expect('its smallest case is kept', all((pathlib.Path(folder) / (one['case'] or 'none')).is_file() for one in mova2d['findings']))
        expect('both variants are counted', mova2d['cases']['run'] == 24000 and 0 < mova2d['cases']['answered'] < mova2d['cases']['asked'])
        expect('what the target has not is not connected', setrwc['state'] == 'not connected')
        expect('the cause of a finding is looked up by chip, instruction and place',
               explains({'chips': ['tensix-wh'], 'instructions': ['MOVA2D']}, mova2d, mova2d['findings'][0])
               and not explains({'chips': ['tensix-bh'], 'instructions': ['MOVA2D']}, mova2d, mova2d['findings'][0]))
        check_report(given, pathlib.Path(folder), expect)
    check_witnesses(expect)
    for name in SIMULATORS:
        expect(f'the causes of {name} can be read', isinstance(causes_of(name), list))
    if failed:
        raise Stop(f'{len(failed)} checks failed', 6)


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__.split('\n\n', maxsplit=1)[0],
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('simulator', nargs='?', help=f'{", ".join(SIMULATORS)}, or report')
    parser.add_argument('--source', help='a folder with the sources of the simulator; without it they are cloned')
    parser.add_argument('--chip', help='only this chip, for example tensix-bh')
    parser.add_argument('--instruction', nargs='+', default=[], help='only these instructions')
    parser.add_argument('--out', help='where results go (target/simulators)')
    parser.add_argument('--reports', default=str(ROOT / 'reports'), help='where committed matrices are, and reports go (reports)')
    parser.add_argument('--tandem', default=str(ROOT / 'target' / 'release' / 'tandem'), help='the program (target/release/tandem)')
    parser.add_argument('--cases', type=int, help='cases of an instruction (8000, or what the table says of the simulator)')
    parser.add_argument('--most-cases', type=int,
                        help='where less than 90 %% is answered, an instruction is run again with more, up to this many (32000, or as above)')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--threads', type=int, default=os.cpu_count() or 1)
    parser.add_argument('--causes', action='store_true', help='let tandem look for the causes of findings, which takes longer')
    parser.add_argument('--self-check', action='store_true', help='try this program on a target with a known mistake')
    given = parser.parse_args(arguments)
    given.tandem = str(pathlib.Path(given.tandem).resolve()) if pathlib.Path(given.tandem).is_file() else given.tandem
    return given


def main(arguments):
    given = parse(arguments)
    try:
        if given.self_check:
            self_check(given)
            return 0
        if given.simulator == 'report':
            make_report(given, SIMULATORS)
            return 0
        if given.simulator not in SIMULATORS:
            raise Stop(f'no simulator {given.simulator}; there are {", ".join(SIMULATORS)}', 2)
        make_matrix(given, given.simulator, SIMULATORS[given.simulator])
    except Stop as stop:
        print(f'simulators.py: {stop}', file=sys.stderr)
        return stop.code
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
