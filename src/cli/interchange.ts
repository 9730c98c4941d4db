import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import { refusing, StartupError } from '../errors.ts';
import type { ExportOptions } from '../interchange/export-folder.ts';
import type { RejectionLimit } from '../interchange/report.ts';
import { type FileMap, MapFault } from '../mapping/map.ts';
import { parseMap, parseMaps } from '../mapping/parse-map.ts';
import { PRESET_NAMES, PRESETS, type PresetName } from '../mapping/presets/index.ts';
import { TIME_UNITS, type TimeUnit } from '../model/values/time.ts';
import { printable } from '../printable.ts';
import { DATA_SETTINGS } from '../settings.ts';
import { interchangeHelp } from './interchange-help.ts';
import { print, printNotice } from './output.ts';
import type { Tools } from './tools.ts';

interface ImportFlags {
  strict?: true;
  dryRun?: true;
  map?: FileMap[];
  mapFile?: FileMap[];
  null?: string[];
  preset?: PresetName;
  print?: true;
  guess?: true;
  yes?: true;
  timeUnit?: TimeUnit;
  maxRejected?: RejectionLimit;
}

export function addInterchange(feedloom: Command, tools: Tools): void {
  addImport(feedloom, tools);
  addExport(feedloom, tools);
}

function addImport(feedloom: Command, { withSettings, settingsOf }: Tools): void {
  withSettings(
    feedloom
      .command('import [folder]')
      .description(
        'import interchange files (JSON lines, CSV) while the service is stopped; importing them again changes nothing',
      ),
    [...DATA_SETTINGS, 'chain', 'now'],
  )
    .option('--map <file=kind:fields>', 'read a file with another name or other columns, see below', addMap)
    .option('--map-file <file>', 'read maps from a file: one a line, # begins a comment', addMapFile)
    .option('--preset <name>', `read files of other software: ${PRESET_NAMES.join(', ')}`, presetName)
    .option('--print', 'show the maps of the preset and how to export its files, and import nothing')
    .option('--guess', 'propose maps for files of other software, and show what would be imported')
    .option('--yes', 'import with the proposed maps')
    .option('--null <text>', 'read this text as an absent value, besides an empty one and \\N', addText)
    .option('--time-unit <unit>', 'unit of numeric times: s (default), ms, us or ns', timeUnit)
    .option('--dry-run', 'show what would be imported, and store nothing')
    .option(
      '--max-rejected <n>',
      'stop if more lines are bad: a number, or a share such as 5%',
      rejectionLimit,
    )
    .option('--strict', 'stop at the first bad line')
    .addHelpText('after', ({ command }) => interchangeHelp(command.createHelp()))
    .action(async (folder: string | undefined, flags: ImportFlags, command: Command) => {
      const { strict = false, maxRejected: max_rejected, timeUnit: time_unit, null: nulls } = flags;
      if (flags.print && flags.preset !== undefined) return print(PRESETS[flags.preset].trimEnd());
      if (folder === undefined) return command.error("error: missing required argument 'folder'");
      const settings = settingsOf(command);
      const { maps, hides_bare, is_proposal } = await mapsFor(folder, flags);
      const options = { strict, maps, nulls, time_unit, max_rejected, hides_bare };
      if (!flags.dryRun && !is_proposal)
        return print(await (await import('./import.ts')).importFolder(settings, folder, options));
      const text = await (await import('./import-dry-run.ts')).dryRun(folder, settings.chain, options);
      // The maps alone are the result, so that they can be saved as a file.
      if (is_proposal) printNotice(text);
      else print(text);
    });
}

interface Maps {
  maps: FileMap[];
  /** Whether items that no file describes may be private. */
  hides_bare: boolean;
  /** Whether the maps are only shown. */
  is_proposal: boolean;
}

/** The maps of an import. Prints those that are guessed. @throws StartupError */
async function mapsFor(
  folder: string,
  { map = [], mapFile = [], preset, guess, yes }: ImportFlags,
): Promise<Maps> {
  const given = [...map, ...mapFile];
  const { guessMaps, presetMapsIn } = await import('./import-guess.ts');
  if (preset !== undefined) given.push(...(await presetMapsIn(folder, preset)));
  const hides_bare = preset !== undefined || guess === true;
  if (!guess) return { maps: given, hides_bare, is_proposal: false };
  const { maps, text, undated } = await guessMaps(folder, given);
  if (yes) printNotice(text);
  else print(text);
  if (yes && undated !== undefined)
    throw new StartupError(
      'bad_map',
      printable(`no column of ${undated} has times, and there are no acts: all its posts would get one date`),
      'save the maps (--guess > maps.txt), add created_at=COLUMN if there is one, and import with --map-file maps.txt',
    );
  return { maps: [...given, ...maps], hides_bare, is_proposal: yes !== true };
}

function addExport(feedloom: Command, { withSettings, settingsOf }: Tools): void {
  withSettings(
    feedloom
      .command('export <folder>')
      .description('write all current records as interchange files, even while the service runs'),
    [...DATA_SETTINGS, 'plugins'],
  )
    .option('--force', 'replace existing interchange files')
    .option('--gzip', 'compress the files')
    .addHelpText(
      'after',
      '\nfeedloom import --help describes the files. shown.jsonl is for training elsewhere, see\ndocs/import.md. They are no backup: feedloom backup and move keep everything exactly.',
    )
    .action(async (folder: string, { force = false, gzip = false }: ExportOptions, command: Command) =>
      (await import('./export.ts')).exportFolder(settingsOf(command), folder, { force, gzip }),
    );
}

function addMap(given: string, former: FileMap[] = []): FileMap[] {
  return [...former, understood(`--map ${given}`, () => parseMap(given))];
}

function addMapFile(path: string, former: FileMap[] = []): FileMap[] {
  const text = refusing('bad_map', `--map-file ${path} cannot be read`, () => readFileSync(path, 'utf8'));
  return [...former, ...understood(`--map-file ${path}`, () => parseMaps(text))];
}

/** @throws StartupError `bad_map` */
function understood<T>(given: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw error instanceof MapFault ? new StartupError('bad_map', `${given}: ${error.message}`) : error;
  }
}

function presetName(given: string): PresetName {
  const name = PRESET_NAMES.find((each) => each === given);
  if (name === undefined) throw new InvalidArgumentError(`Expected one of ${PRESET_NAMES.join(', ')}.`);
  return name;
}

function addText(given: string, former: string[] = []): string[] {
  return [...former, given];
}

function timeUnit(given: string): TimeUnit {
  const unit = TIME_UNITS.find((each) => each === given);
  if (unit === undefined) throw new InvalidArgumentError(`Expected one of ${TIME_UNITS.join(', ')}.`);
  return unit;
}

function rejectionLimit(given: string): RejectionLimit {
  const [, digits, percent] = /^(\d+(?:\.\d+)?)(%?)$/.exec(given) ?? [];
  const max = Number(digits);
  const is_share = percent === '%' && max <= 100;
  const is_count = percent === '' && Number.isSafeInteger(max);
  if (!is_share && !is_count)
    throw new InvalidArgumentError('Expected a number of lines, or a share from 0% to 100%.');
  return { unit: is_share ? 'percent' : 'lines', max };
}
