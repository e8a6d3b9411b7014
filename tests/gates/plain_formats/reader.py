"""Prints exported tests: `reader.py bin FOLDER` with struct alone, `reader.py npy FOLDER` with numpy."""

import json
import pathlib
import struct
import sys


def read_bin(folder):
    data = (folder / "vectors.bin").read_bytes()
    magic, version, count, size, at, length = struct.unpack_from("<8sIIQQQ", data)
    assert (magic, version, size) == (b"TANDEMPV", 1, len(data)), (magic, version, size)
    tables = {}
    for entry in range(count):
        name, rows, columns, offset = struct.unpack_from("<16sIIQ", data, 40 + 32 * entry)
        words = struct.unpack_from(f"<{rows * columns}I", data, offset)
        tables[name.rstrip(b"\0").decode()] = [words[row * columns : (row + 1) * columns] for row in range(rows)]
    manifest = json.loads(data[at : at + length])
    assert manifest == json.loads((folder / "manifest.json").read_text())
    return manifest, tables


def read_npy(folder):
    import numpy

    manifest = json.loads((folder / "manifest.json").read_text())
    tables = {}
    for table in manifest["tables"]:
        array = numpy.load(folder / (table["name"] + ".npy"), allow_pickle=False)
        assert array.dtype == numpy.dtype(manifest["dtype"]) and list(array.shape) == table["shape"], table
        tables[table["name"]] = array.reshape(array.shape[0], -1).tolist() if array.size else []
    return manifest, tables


def line(*words):
    print(*(word if isinstance(word, str) else f"{word:x}" for word in words))


def main():
    read = {"bin": read_bin, "npy": read_npy}[sys.argv[1]]
    manifest, tables = read(pathlib.Path(sys.argv[2]))
    place = {table["name"]: [column["name"] for column in table["columns"]] for table in manifest["tables"]}
    assert sorted(place) == sorted(tables)
    named = {name: [dict(zip(place[name], row)) for row in rows] for name, rows in tables.items() if name != "words"}

    def words(row):
        columns = named["banks"][row["bank"]]["columns"]
        return [word for (word,) in tables["words"][row["words_first"] : row["words_first"] + columns]]

    for bank in named["banks"]:
        line("bank", *bank.values())
    for field in named["fields"]:
        line("kind", *field.values())
    for row in named["base_rows"]:
        line("base", row["bank"], row["row"], *words(row))
    for number, test in enumerate(named["tests"]):
        ranged = lambda name: range(test[name + "_first"], test[name + "_first"] + test[name + "_count"])
        assert f"{test['id_high']:08x}{test['id_low']:08x}" == manifest["ids"][number]
        numbers = [test[name] for name in ("editions", "edition", "cell", "outcome")]
        line("test", manifest["ids"][number], *numbers, int(test["contested"] != 0), int(test["breaks"] != 0))
        for at in ranged("steps"):
            step = named["steps"][at]
            code = named["code"][step["code_first"] : step["code_first"] + step["code_count"]]
            line("step", step["waits"], *(one["word"] for one in code))
            line("of", manifest["instructions"][step["instruction"]], manifest["texts"][at])
        for at in ranged("flags"):
            flag = named["flags"][at]["flag"]
            line("flag", flag, manifest["flags"][flag]["name"])
        for number, state in enumerate(("before", "expected", "care")):
            for at in ranged(state + "_fields"):
                line("field", number, *named[state + "_fields"][at].values())
            for at in ranged(state + "_rows"):
                row = named[state + "_rows"][at]
                line("row", number, row["bank"], row["row"], *words(row))


main()
