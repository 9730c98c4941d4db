/** The table of rooms in `src/README.md`: the allowed imports of each folder and file of `src/`. */

/** One import between two files, as paths from the root. */
export interface FileImport {
  from: string;
  to: string;
  type_only: boolean;
}

interface Grant {
  /** A room, or one file of it without its extension: `store`, `store/keys`. */
  what: string;
  types_only: boolean;
}

interface Row {
  rooms: string[];
  /** Every room that may import anything may import its files. */
  is_shared: boolean;
  grants: Grant[] | 'everything below' | 'nothing';
}

const TABLE = "src/README.md's table of rooms";
const SHARED = 'for all rooms: ';

/** The room of a path: the first folder within `src`, or the file's name without extension. */
export function roomOf(path: string): string {
  const [top, room] = path.split('/');
  return top === 'src' ? room.replace(/\.ts$/, '') : top;
}

/** The rows of the table, from the command line down to the contract. */
export function tableOfRooms(readme: string): Row[] {
  const section = readme.slice(readme.indexOf('\n## The rooms\n') + 1).split('\n## ', 1)[0];
  const lines = section.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) => {
    const [rooms, content, imports] = line
      .split('|')
      .slice(1)
      .map((cell) => cell.trim());
    return {
      rooms: [...rooms.matchAll(/\]\((?:\.\.\/)?([^)]+?)(?:\.ts)?\)/g)].map(([, name]) => name),
      is_shared: content.startsWith(SHARED),
      grants: grantsOf(imports),
    };
  });
}

function grantsOf(cell: string): Row['grants'] {
  if (cell === 'everything below') return cell;
  if (/^nothing\b/.test(cell)) return 'nothing';
  return cell.split(', ').map((entry) => {
    const [, what, types] = /^([A-Za-z./-]+)( \(types\))?$/.exec(entry) ?? [];
    if (what === undefined)
      throw new Error(`${TABLE} says '${entry}', which is no room, file or room (types)`);
    return { what, types_only: types !== undefined };
  });
}

function isUsedBy({ what, types_only }: Grant, { to, type_only }: FileImport): boolean {
  const is_meant = what === roomOf(to) || `src/${what}.ts` === to;
  return is_meant && types_only === type_only;
}

function isGranted(row: Row, one: FileImport, rows: readonly Row[]): boolean {
  const { grants } = row;
  const other = roomOf(one.to);
  const below = rows.slice(rows.indexOf(row) + 1);
  if (row.rooms.includes(other)) return true;
  if (grants === 'nothing') return false;
  if (below.some(({ is_shared, rooms }) => is_shared && rooms.includes(other))) return true;
  // Files without a row, such as package.json, are below all rows.
  if (rows.some(({ rooms }) => rooms.includes(other)) && !below.some(({ rooms }) => rooms.includes(other)))
    return false;
  if (grants === 'everything below') return true;
  return grants.some((grant) => isUsedBy(grant, one) || isUsedBy(grant, { ...one, type_only: false }));
}

/** Every difference between the table and the imports of these files, in words. */
export function differences(
  rows: readonly Row[],
  files: readonly string[],
  imports: readonly FileImport[],
): string[] {
  const rooms = new Set(files.map(roomOf));
  const listed = rows.flatMap((row) => row.rooms);
  const between = imports.filter(({ from, to }) => roomOf(from) !== roomOf(to));
  const faults = [...rooms].filter((room) => !listed.includes(room)).map((room) => `${TABLE} lacks ${room}`);
  for (const [index, room] of listed.entries()) {
    if (!rooms.has(room)) faults.push(`${TABLE} names ${room}, which is not there`);
    if (listed.indexOf(room) !== index) faults.push(`${TABLE} has two rows of ${room}`);
  }
  for (const row of rows) {
    const own = between.filter(({ from }) => row.rooms.includes(roomOf(from)));
    for (const one of own.filter((any) => !isGranted(row, any, rows))) {
      const what = one.type_only ? 'types of ' : '';
      faults.push(`${one.from} imports ${what}${one.to}, which ${TABLE} does not allow, or not further down`);
    }
    if (typeof row.grants === 'string') continue;
    for (const grant of row.grants.filter((any) => !own.some((one) => isUsedBy(any, one)))) {
      const what = `${grant.what}${grant.types_only ? ' (types)' : ''}`;
      faults.push(`${TABLE} lets ${row.rooms.join(', ')} import ${what}, which they do not, or types alone`);
    }
  }
  return faults;
}

/**
 * Import cycles between files, including type imports. Each is listed once, as its files in order with the first one
 * repeated at the end.
 */
export function cycles(imports: readonly FileImport[]): string[] {
  const targets = new Map<string, string[]>();
  for (const { from, to } of imports) targets.set(from, [...(targets.get(from) ?? []), to]);
  const found: string[] = [];
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string): void => {
    const start = path.indexOf(file);
    if (start >= 0) found.push([...path.slice(start), file].join(' → '));
    if (start >= 0 || done.has(file)) return;
    path.push(file);
    for (const target of targets.get(file) ?? []) visit(target);
    path.pop();
    done.add(file);
  };
  for (const file of targets.keys()) visit(file);
  return found;
}
