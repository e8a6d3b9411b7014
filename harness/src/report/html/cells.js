// What is known of the cells of a unit: their levels and statuses, which pass a filter, and the squares and tables that
// they make up. Rows and columns without a cell are in none of them.
tandem.cellsOf = (unit, place) => {
  const { data } = tandem;
  const count = unit.statuses.length;
  const every = Array.from({ length: count }, (_, cell) => cell);

  // A cell's place is a number with a digit for each axis, the last axis lowest.
  const levels = unit.axes.map(() => new Uint16Array(count));
  for (const cell of every) {
    let rest = unit.places ? unit.places[cell] : cell;
    for (let axis = levels.length - 1; axis >= 0; axis -= 1) {
      const size = unit.axes[axis].levels.length || 1;
      levels[axis][cell] = rest % size;
      rest = Math.floor(rest / size);
    }
  }

  // ------------------------------------------------------------------------------------------------ statuses

  const gapsOf = (cell) => unit.gaps.filter(([axis, level]) => level === null || levels[axis][cell] === level);
  // A letter that this page does not know is shown as what it is, before what needs no look.
  const letters = new Set(data.marks.map(([letter]) => letter));
  const unknown = [...new Set(unit.statuses)].filter((letter) => !letters.has(letter)).sort();
  const kinds = data.marks.map(([letter, name, word]) => ({ letter, name, title: word }));
  kinds.splice(kinds.findIndex((kind) => kind.name === 'green'), 0,
    ...unknown.map((letter) => ({ letter, name: 'unknown', title: `status ${letter}` })));
  const passed = kinds.findIndex((kind) => kind.name === 'green');
  const without = kinds.findIndex((kind) => kind.name === 'unwitnessed');
  const statuses = every.map((cell) => {
    const kind = kinds.findIndex((known) => known.letter === unit.statuses[cell]);
    return kinds[kind].name === 'green' && gapsOf(cell).length ? without : kind;
  });
  const kind = (cell) => kinds[statuses[cell]];
  // The rule that explains why a cell is unsupported, counted from 1, and the share of a cell's cases that are refused.
  const unpacked = (runs) => runs.split(' ').flatMap((run) => {
    const [number, times = 1] = run.split('*').map(Number);
    return Array(times).fill(number);
  });
  const explained = unit.explained ? unpacked(unit.explained) : null;
  const shares = unit.refusals ? unpacked(unit.refusals) : null;
  const rule = (cell) => explained ? explained[cell] : 0;
  const share = (cell) => shares ? shares[cell] : 0;
  const isPartly = (cell) => share(cell) > 0 && unit.statuses[cell] === 'G';
  const isContested = (cell) => unit.contested !== null && unit.contested[cell] === 'x';

  const numbers = (ranges) => {
    const all = new Set();
    for (const range of ranges.split(', ')) {
      const [first, last = first] = range.split('-').map(Number);
      for (let cell = first; cell <= last; cell += 1) all.add(cell);
    }
    return all;
  };
  const findings = data.findings.flatMap((finding, index) => finding.seen
    .filter(([where]) => where === place)
    .map(([, ranges]) => ({ number: index + 1, title: finding.title, cells: numbers(ranges) })));

  // ------------------------------------------------------------------------------------------------ dimensions

  // What a map can run along, and what cells can be filtered by: the axes, and the classes.
  const dimensions = unit.axes.map((axis, index) => ({ name: axis.name, levels: axis.levels, of: levels[index] }));
  const classes = unit.runs ? { name: 'class of cells', levels: unit.classes, of: unpacked(unit.runs) } : null;
  if (classes) dimensions.push(classes);
  const nothing = { name: 'nothing', levels: ['all'], of: new Uint8Array(count) };

  const used = (cells, dimension) => [...new Set(cells.map((cell) => dimension.of[cell]))].sort((one, other) => one - other);
  for (const dimension of dimensions) dimension.used = used(every, dimension);

  // The cells that pass a filter: a status, contested or not, a rule, refusals or none, a finding, levels of dimensions.
  const passing = (filter) => {
    const finding = findings.find((one) => String(one.number) === filter.finding);
    const fixed = [...filter.levels];
    return every.filter((cell) => (filter.status === '' || statuses[cell] === Number(filter.status))
      && (filter.contested === '' || isContested(cell) === (filter.contested === 'yes'))
      && (filter.rule === '' || rule(cell) === Number(filter.rule))
      && (filter.refusals === '' || (share(cell) > 0) === (filter.refusals === 'yes'))
      && (!finding || finding.cells.has(cell))
      && fixed.every(([dimension, level]) => dimension.of[cell] === level));
  };

  // How many cells are what: pairs of a kind and a count, in the order of the kinds, and how many are contested.
  const tally = (cells) => {
    const counts = kinds.map(() => 0);
    for (const cell of cells) counts[statuses[cell]] += 1;
    return {
      all: cells.length,
      contested: cells.filter(isContested).length,
      present: counts.flatMap((number, index) => number ? [[kinds[index], number]] : []),
      // For readers: what passed without a witness has passed too.
      shown: counts.flatMap((number, index) => {
        const all = index === passed ? number + counts[without] : number;
        return all ? [[kinds[index], all]] : [];
      }),
    };
  };

  // The cells as squares of two dimensions.
  const squares = (cells, down, across) => {
    const at = new Map();
    for (const cell of cells) {
      const here = `${down.of[cell]} ${across.of[cell]}`;
      if (!at.has(here)) at.set(here, []);
      at.get(here).push(cell);
    }
    return { rows: used(cells, down), columns: used(cells, across), at: (row, column) => at.get(`${row} ${column}`) };
  };

  // The combination of levels that a cell has of some axes, as a number.
  const key = (cell, of) => of.reduce((sum, axis) => sum * unit.axes[axis].levels.length + levels[axis][cell], 0);
  const keys = (cells, of) => [...new Set(cells.map((cell) => key(cell, of)))].sort((one, other) => one - other);

  // Which axes run down and which across: the fewest rows whose columns fit into the room beside so many axes and of which
  // at least a quarter of the places have a cell. One column is always possible.
  const layout = (cells, free, room) => {
    const half = (choice, wanted) => free.filter((_, bit) => (choice >> bit) % 2 === wanted);
    let best = { down: free, across: [], rows: cells.length, area: cells.length };
    // With many axes, the last ones run across, and the others are not tried.
    const choices = free.length > 10 ? free.map((_, first) => (1 << free.length) - (1 << first)) : Array(1 << free.length).keys();
    for (const choice of choices) {
      const [down, across] = [half(choice, 0), half(choice, 1)];
      if (!down.length && free.length > 1) continue;
      const columns = keys(cells, across).length;
      if (columns > room(down.length)) continue;
      const rows = keys(cells, down).length;
      const area = rows * columns;
      if (area <= 4 * cells.length && (rows < best.rows || (rows === best.rows && area < best.area))) best = { down, across, rows, area };
    }
    return best;
  };

  // The cells as a table: combinations of levels that cells have down and across. Axes on which they do not differ are
  // left out.
  const table = (cells, room) => {
    const varies = unit.axes.map((_, axis) => used(cells, { of: levels[axis] }).length > 1);
    const axes = unit.axes.map((_, axis) => axis);
    const { down, across } = layout(cells, axes.filter((axis) => varies[axis]), room);
    const lines = (of) => {
      const all = keys(cells, of);
      const first = new Map(cells.map((cell) => [key(cell, of), cell]));
      return { all: all.map((one) => of.map((axis) => levels[axis][first.get(one)])), place: new Map(all.map((one, index) => [one, index])) };
    };
    const [rows, columns] = [lines(down), lines(across)];
    const at = new Map(cells.map((cell) => [`${rows.place.get(key(cell, down))} ${columns.place.get(key(cell, across))}`, cell]));
    return {
      down, across, rows: rows.all, columns: columns.all, same: axes.filter((axis) => !varies[axis]),
      at: (row, column) => at.get(`${row} ${column}`),
    };
  };

  return {
    count, every, kinds, kind, isContested, isPartly, rule, share, findings, dimensions, classes, nothing, gapsOf, passing, tally, squares, table,
    level: (cell, axis) => unit.axes[axis].levels[levels[axis][cell]],
    statuses: [...new Set(statuses)].sort((one, other) => one - other),
    holes: new Map(unit.holes),
  };
};
