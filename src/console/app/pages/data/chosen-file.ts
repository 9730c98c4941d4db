import type { Doubt } from '../../../../mapping/draft.ts';
import { type GuessedMap, guess, guessFields } from '../../../../mapping/guess.ts';
import { requiredFields } from '../../../../mapping/kinds.ts';
import type { FileMap } from '../../../../mapping/map.ts';
import { lackedColumn, type PresetName, presetMaps } from '../../../../mapping/presets/index.ts';
import type { Sample } from '../../../../mapping/sample.ts';
import { isMappable, plainName } from '../../../../rows/file-names.ts';
import { isSent, type SentKind } from './kinds.ts';

/** A file that somebody has chosen, and one way in which it is read. */
export interface ChosenFile {
  file: File;
  sample: Sample;
  /** Undefined: the file is left out. */
  map: FileMap | undefined;
  doubts: readonly Doubt[];
  /** Why it is left out. */
  reason?: string;
  /** The preset whose map it has, unchanged. */
  preset?: PresetName;
}

/** A file of which nothing is read. */
export interface LeftOut {
  name: string;
  reason: string;
}

/** The files of which nothing is read. */
export function leftOutOf(chosen: readonly ChosenFile[]): LeftOut[] {
  const read = new Set(chosen.flatMap(({ file, map }) => (map === undefined ? [] : [file])));
  const without = chosen.filter(({ file }) => !read.has(file));
  return without.map(({ file: { name }, reason = 'nobody has chosen what it has' }) => ({ name, reason }));
}

/** A chosen file with its first rows. */
export type SampledFile = Pick<ChosenFile, 'file' | 'sample'>;

/** All ways in which files are read: by a preset, or by what is guessed of them together. */
export function waysOf(files: readonly SampledFile[], preset?: PresetName): ChosenFile[] {
  if (preset !== undefined) {
    const maps = presetMaps(preset);
    return files.flatMap((given) => {
      const own = maps.filter(({ file }) => plainName(given.file.name) === file);
      const reason = own.length === 0 ? 'the preset does not read it' : undefined;
      return waysBy(
        given,
        own.map((map) => ({ map: { ...map, file: given.file.name }, doubts: [] })),
        { reason, preset },
      );
    });
  }
  const { maps, left_out } = guess(files.map(({ sample }) => sample));
  return files.flatMap((given) => {
    const { name } = given.sample;
    const reason = left_out.find((one) => one.name === name)?.reason;
    return waysBy(
      given,
      maps.filter(({ map }) => map.file === name),
      { reason },
    );
  });
}

function waysBy(
  given: SampledFile,
  maps: readonly GuessedMap[],
  rest: Pick<ChosenFile, 'reason' | 'preset'>,
): ChosenFile[] {
  const sent = maps.filter(({ map }) => isSent(map.kind));
  if (sent.length === 0) return [{ ...given, map: undefined, doubts: [], reason: rest.reason }];
  return sent.map(({ map, doubts }) => ({ ...given, map, doubts, ...rest }));
}

/** The same file as lines of a kind. */
export function asKind(
  { sample }: ChosenFile,
  kind: SentKind,
): Pick<ChosenFile, 'map' | 'doubts' | 'preset'> {
  const { map, doubts } = guessFields(kind, sample);
  return { map, doubts, preset: undefined };
}

/** Another way to read the same file. */
export function again({ file, sample }: ChosenFile): ChosenFile {
  return { file, sample, map: undefined, doubts: [] };
}

/** Why a file cannot be read as it is to be; undefined: it can, or is left out. */
export function faultOf({ file, sample: { columns }, map, preset }: ChosenFile): string | undefined {
  if (map === undefined) return undefined;
  const lacked = preset === undefined ? undefined : lackedColumn(map, columns);
  if (lacked !== undefined)
    return `${file.name} has no column ${lacked}, which decides who may see a row: feedloom import --preset ${preset} --print shows how to export it.`;
  const missing = requiredFields(map.kind).find((field) => {
    const source = map.fields.get(field);
    return source === undefined ? !columns.includes(field) : 'constant' in source && source.constant === '';
  });
  return missing && `${file.name} has required fields without a source.`;
}

/** Whether the names of the columns are those of the fields, so that nobody needs to choose. */
export function isPlain({ map, sample: { columns }, doubts }: ChosenFile): boolean {
  const sources = [...(map?.fields ?? [])];
  const is_same = sources.every(
    ([field, source]) => 'column' in source && source.column === field && source.rules.length === 0,
  );
  return is_same && map?.skips.length === 0 && sources.length === columns.length && doubts.length === 0;
}

/** Files of an export that only the command reads. */
const BY_COMMAND = [
  ...['impressions.csv', 'events.csv', 'tokens.jsonl', 'feeds.jsonl'],
  'lists.jsonl',
  'preferences.jsonl',
  'experiments.jsonl',
];

/** Why a file cannot be imported here; undefined if it can. */
export function unreadable(name: string): string | undefined {
  if (plainName(name) === 'shown.jsonl') return 'an export has it for other software';
  if (BY_COMMAND.includes(plainName(name))) return 'only feedloom import reads it';
  return isMappable(name) ? undefined : 'neither CSV nor JSON';
}
