"""Descriptions and recorded tests."""

import json
import pathlib

import numpy as np
import plain_vectors
import pytest
from sfpand import Sfpand

import tandem
from tandem._target import Batch

VECTORS = pathlib.Path(__file__).parents[2] / "vectors"


def test_an_instruction_set_is_described_as_on_the_command_line():
    described = tandem.describe("tensix-wh", "mova2d")
    assert described["schema"] == "urn:tandem:describe:1"
    assert [one["path"] for one in described["instructions"]] == ["tensix-wh/mova2d"]
    assert {bank["name"] for bank in described["banks"]} >= {"SrcA", "DstBits", "LReg"}
    with pytest.raises(ValueError, match="tensix-wx"):
        tandem.describe("tensix-wx")
    assert "visa/mov" in tandem.instructions()
    assert len(tandem.classes("tensix-wh/mova2d")) == 10  # two more classes are of the edition spec alone
    with pytest.raises(ValueError, match="tandem.instructions"):
        tandem.classes("tensix-wh/nothing")


def test_every_committed_file_is_in_the_wheel_and_can_be_read():
    on_disk = {str(path.relative_to(VECTORS))[:-5] for path in VECTORS.glob("*/*.json")}
    assert set(tandem.vector_files()) == on_disk
    for name in ("visa/dpas", "tensix-bh/sfpand", "tensix-wh/mova2d.programs", "tensix-wh/mova2d.ttsim-1.10.0"):
        found = tandem.vectors(name)
        assert found and len({vector.id for vector in found}) == len(found)


def test_a_test_is_arrays_with_the_shapes_and_dtypes_of_its_banks():
    (plain,) = [one for one in tandem.vectors("tensix-wh/mova2d") if one.id == "b21116db99f1c3bf"]
    assert plain.instruction == "tensix-wh/mova2d" and plain.code.tolist() == [0x12000000]
    assert plain.code.dtype == np.uint32 and plain.flags == ("plain",) and plain.outcome == "done"
    assert plain.before.fields == {"Config[0].ALU_FORMAT_SPEC_REG0_SrcA": 6}
    assert plain.before.rows["SrcA"].tolist() == [0]
    data = plain.before.data["SrcA"]
    assert data.dtype == np.uint32 and data.shape == (1, 16) and data[0, 0] == 0x3FFFE
    assert plain.after.data["DstBits"].dtype == np.uint16 and plain.after.data["DstBits"][0, 0] == 0x7FFE
    assert plain.mask.rows["DstBits"].tolist() == [0] and (plain.mask.data["DstBits"] == 0xFFFF).all()


def test_masks_leave_out_what_a_recording_does_not_care_for():
    name = "visa/dpas.cm-cpu-emulation-8d7b65fa"
    found = {one.id: one for one in tandem.vectors(name)}
    file = json.loads((VECTORS / f"{name}.json").read_text())
    loose = [test for group in file["groups"] for test in group["tests"] if "care" in test and test["id"] in found]
    assert loose
    for test in loose:
        mask = found[test["id"]].mask
        assert mask.rows.keys() == found[test["id"]].after.rows.keys()
        assert any((data != 0xFFFFFFFF).any() for data in mask.data.values())


def test_runs_of_rows_and_banks_of_several_dimensions_have_the_numbers_of_their_rows():
    layout = tandem.Layout.of("tensix-wh")
    assert layout.bank("SrcA").row([1, 5]) == 69
    with pytest.raises(ValueError, match="is no row"):
        layout.bank("SrcA").row([2, 0])
    (wide,) = [one for one in tandem.vectors("tensix-wh/sfpand") if one.id == "91beb18a298d4f72"]
    assert wide.before.rows["LReg"].tolist() == [3, 5, 6]
    assert layout.base("LReg")[10].tolist() == [0x3F800000] * 32
    assert layout.base("LReg")[15].tolist() == list(range(0, 64, 2))


def test_editions_flags_and_unknown_names():
    assert all("plain" in one.flags for one in tandem.vectors("tensix-wh/sfpand", flags=["plain"]))
    assert not tandem.vectors("tensix-wh/sfpand", flags=["no-such-flag"])
    with pytest.raises(ValueError, match="did you mean 'tensix-wh/mova2d'"):
        tandem.vectors("tensix-wh/mova2")
    with pytest.raises(ValueError, match="edition"):
        tandem.vectors("tensix-wh/mova2d", edition="old")
    programs = tandem.vectors("tensix-wh/mova2d.programs")
    assert all(len(one.steps) > 1 and one.instruction == "tensix-wh/mova2d" for one in programs)


def test_a_target_can_be_run_on_recorded_tests_as_one_batch():
    """The arrays of a test are those that a batch has: nothing is said twice."""
    layout, found = tandem.Layout.of("tensix-bh"), tandem.vectors("tensix-bh/sfpand")
    small, codes, rows = [], [], []
    for case, one in enumerate(found):
        row = one.before.rows.get("LReg", np.zeros(0, np.int64))
        data = one.before.data.get("LReg", np.zeros((0, 32), np.uint32))
        rows.append((np.full(len(row), case, "<u4"), row.astype("<u4"), data))
        fields = np.zeros(layout.small_bytes, np.uint8)
        for name in layout.field_names:
            family, value = layout.family(name), one.before.fields.get(name, int(layout.family(name).base))
            words = fields.view(f"<u{family.word_bytes}")
            words[family.word] |= np.array(value << int(family.shift)).astype(words.dtype)
        small.append(fields)
        codes.append(one.code)
    background = {name: layout.base(name) for name in layout.banks}
    case, row, data = (np.concatenate(one).tobytes() for one in zip(*rows))
    overlay = [(layout.bank("LReg").number, case, row, data)]
    head = ("tensix-bh/sfpand", "newest", len(found))
    batch = Batch(layout, background, head, (np.array(codes).tobytes(), np.array(small).tobytes(), overlay))
    Sfpand().execute(batch)
    ((_, cases, numbers, written),) = batch.writes
    wrote = dict(zip(zip(*(np.frombuffer(one, "<u4").tolist() for one in (cases, numbers))), range(len(found))))
    written = np.frombuffer(written, "<u4").reshape(-1, 32)
    for case, one in enumerate(found):
        for row, data in zip(one.after.rows.get("LReg", []), one.after.data.get("LReg", [])):
            assert written[wrote[case, row]].tolist() == data.tolist()


def test_the_example_without_tandem_agrees_and_can_fail(tmp_path, capsys):
    assert plain_vectors.main(plain_vectors.DEFAULT) == 0
    assert "41 tests agree, 0 do not" in capsys.readouterr().out
    file = json.loads(plain_vectors.DEFAULT.read_text())
    test = next(test for group in file["groups"] for test in group["tests"] if "rows" in test["after"])
    place, words = next(iter(test["after"]["rows"].items()))
    test["after"]["rows"][place] = ("1" if words[0] == "0" else "0") + words[1:]
    wrong = tmp_path / "wrong.json"
    wrong.write_text(json.dumps(file))
    assert plain_vectors.main(wrong) == 1
    assert test["id"] in capsys.readouterr().out
