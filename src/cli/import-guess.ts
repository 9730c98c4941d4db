import { join } from 'node:path';
import { StartupError } from '../errors.ts';
import { FileBytes } from '../interchange/file-bytes.ts';
import { isNamedAs, mappableNamesIn } from '../interchange/files.ts';
import { LINE_FIELDS } from '../interchange/formats.ts';
import { guess } from '../mapping/guess.ts';
import { KINDS, type Kind } from '../mapping/kinds.ts';
import type { FileMap } from '../mapping/map.ts';
import { exportCommands, lackedColumn, type PresetName, presetMaps } from '../mapping/presets/index.ts';
import type { Sample } from '../mapping/sample.ts';
import { Sampler } from '../mapping/sampler.ts';
import { writeMap } from '../mapping/write-map.ts';
import { printable } from '../printable.ts';
import { plainName } from '../rows/file-names.ts';
import { RowReader } from '../rows/row-reader.ts';
import { printNotice } from './output.ts';

/** Kinds of acts that give a date to posts without one. */
const DATING: readonly Kind[] = ['interactions', 'impressions'];

/**
 * Proposes maps for the files of a folder that are no interchange files, and that the given maps do not read.
 * @returns the maps, and the same as a file of maps, with what is not certain as comments; and a file whose posts all
 * would get one date, because neither its columns nor acts have times
 * @throws StartupError `no_such_folder`, `unreadable_folder`, `unreadable_file`
 */
export async function guessMaps(
  folder: string,
  given: readonly FileMap[],
): Promise<{ maps: FileMap[]; text: string; undated?: string }> {
  const samples: Sample[] = [];
  const kinds = given.map(({ kind }) => kind);
  const is_given = (name: string) => given.some(({ file }) => plainName(file) === plainName(name));
  for (const name of mappableNamesIn(folder).filter((each) => !is_given(each))) {
    const sample = await sampleIn(folder, name);
    const own = interchangeKind(sample);
    if (own === undefined) samples.push(sample);
    else kinds.push(own);
  }
  const { maps, left_out } = guess(samples);
  const lines = [
    ...maps.flatMap(({ map, doubts }) => [
      ...doubts.map(({ field, text }) => `# not sure: ${field === undefined ? '' : `${field}: `}${text}`),
      writeMap(map),
    ]),
    ...left_out.map(({ name, reason }) => `# left out: ${name}: ${reason}`),
  ];
  kinds.push(...maps.map(({ map }) => map.kind));
  const undated = kinds.some((kind) => DATING.includes(kind))
    ? undefined
    : maps.find(({ map: { kind, fields } }) => kind === 'items' && !fields.has('created_at'))?.map.file;
  return { maps: maps.map(({ map }) => map), text: lines.map(printable).join('\n'), undated };
}

/**
 * The maps of a preset for the files that are in a folder.
 * @throws StartupError `nothing_to_import`, `bad_map` if a file lacks a column that decides who may see a row
 */
export async function presetMapsIn(folder: string, preset: PresetName): Promise<FileMap[]> {
  const names = mappableNamesIn(folder);
  const advice = `feedloom import --preset ${preset} --print shows these commands, which export the files:\n${exportCommands(preset)}`;
  const found: FileMap[] = [];
  for (const map of presetMaps(preset)) {
    const name = names.find((each) => plainName(each) === map.file);
    if (name === undefined) {
      printNotice(`not there: ${map.file}`);
      continue;
    }
    const column = lackedColumn(map, (await sampleIn(folder, name)).columns);
    if (column !== undefined)
      throw new StartupError(
        'bad_map',
        printable(`${name} has no column ${column}, which decides who may see a row`),
        advice,
      );
    found.push({ ...map, file: name });
  }
  if (found.length > 0) return found;
  throw new StartupError('nothing_to_import', `'${folder}' has no file of the preset ${preset}`, advice);
}

async function sampleIn(folder: string, name: string): Promise<Sample> {
  const bytes = new FileBytes(join(folder, name));
  const reader = new RowReader(name);
  const sampler = new Sampler(name);
  try {
    for (let wants_more = true; wants_more; ) {
      const more = await bytes.next();
      if (more === undefined) reader.end();
      else reader.push(more);
      for (let row = reader.next(); row !== undefined && wants_more; row = reader.next())
        wants_more = sampler.add(row);
      wants_more &&= more !== undefined;
    }
  } finally {
    bytes.close();
  }
  return sampler.sample;
}

/** The kind of a file with the name and the fields of an interchange file. */
function interchangeKind({ name, columns }: Sample): Kind | undefined {
  const kind = KINDS.find((each) => isNamedAs(name, each));
  return kind !== undefined && LINE_FIELDS[kind].required.every((field) => columns.includes(field))
    ? kind
    : undefined;
}
