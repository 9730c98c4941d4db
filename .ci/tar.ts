/** Tar archives (POSIX ustar) that depend on nothing but their entries. */

export interface Entry {
  /** Path without a slash at its start, at most 100 bytes. That of a folder ends with a slash. */
  name: string;
  mode: number;
  /** Number of the account and of its group; default 0. */
  owner?: number;
  content?: Uint8Array;
}

const BLOCK_BYTES = 512;
const NAME_BYTES_MAX = 100;

/**
 * Writes entries sorted by name, and the folders above them.
 * @param time of all entries, in whole seconds since 1970
 * @throws Error for a name that is too long
 */
export function tar(entries: readonly Entry[], time: number): Buffer {
  const by_name = new Map(entries.flatMap(({ name }) => foldersAbove(name)).map((each) => [each.name, each]));
  for (const entry of entries) by_name.set(entry.name, entry);
  const sorted = [...by_name.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  const parts = sorted.flatMap((entry) => {
    const { content = new Uint8Array() } = entry;
    return [header(entry, content.length, time), content, Buffer.alloc(-content.length & (BLOCK_BYTES - 1))];
  });
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK_BYTES)]);
}

function foldersAbove(name: string): Entry[] {
  return [...name.matchAll(/\/(?=.)/g)].map(({ index }) => ({ name: name.slice(0, index + 1), mode: 0o755 }));
}

function header({ name, mode, owner = 0 }: Entry, size: number, time: number): Buffer {
  if (Buffer.byteLength(name) > NAME_BYTES_MAX)
    throw new Error(`the name is too long for a tar file: ${name}`);
  const block = Buffer.alloc(BLOCK_BYTES);
  const write = (value: number, at: number, digits: number) =>
    block.write(value.toString(8).padStart(digits, '0'), at);
  block.write(name);
  write(mode, 100, 7);
  write(owner, 108, 7);
  write(owner, 116, 7);
  write(size, 124, 11);
  write(time, 136, 11);
  block.write(name.endsWith('/') ? '5' : '0', 156);
  block.write('ustar\0' + '00', 257);
  // The checksum counts its own field as spaces.
  block.fill(' ', 148, 156);
  write(
    block.reduce((sum, byte) => sum + byte, 0),
    148,
    6,
  );
  block[154] = 0;
  return block;
}
