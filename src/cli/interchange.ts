import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import { refusing, StartupError } from '../errors.ts';
import type { ExportOptions } from '../interchange/export-folder.ts';
import type { RejectionLimit } from '../interchange/report.ts';
import { type FileMap, MapFault } from '../mapping/map.ts';
import { parseMap, parseMaps } from '../mapping/parse-map.ts';
import { TIME_UNITS, type TimeUnit } from '../model/values/time.ts';
import { DATA_SETTINGS } from '../settings.ts';
import { interchangeHelp } from './interchange-help.ts';
import { print } from './output.ts';
import type { Tools } from './tools.ts';

interface ImportFlags {
  strict?: true;
  dryRun?: true;
  map?: FileMap[];
  mapFile?: FileMap[];
  null?: string[];
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
      .command('import <folder>')
      .description(
        'import interchange files (JSON lines, CSV) while the service is stopped; importing them again changes nothing',
      ),
    [...DATA_SETTINGS, 'chain', 'now'],
  )
    .option('--map <file=kind:fields>', 'read a file with another name or other columns, see below', addMap)
    .option('--map-file <file>', 'read maps from a file: one a line, # begins a comment', addMapFile)
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
    .action(async (folder: string, flags: ImportFlags, command: Command) => {
      const { strict = false, map = [], mapFile = [], maxRejected: max_rejected } = flags;
      const { timeUnit: time_unit, null: nulls } = flags;
      const settings = settingsOf(command);
      const options = { strict, maps: [...map, ...mapFile], nulls, time_unit, max_rejected };
      const imported = flags.dryRun
        ? (await import('./import-dry-run.ts')).dryRun(folder, settings.chain, options)
        : (await import('./import.ts')).importFolder(settings, folder, options);
      print(await imported);
    });
}

function addExport(feedloom: Command, { withSettings, settingsOf }: Tools): void {
  withSettings(
    feedloom
      .command('export <folder>')
      .description('write all current records as interchange files, even while the service runs'),
    DATA_SETTINGS,
  )
    .option('--force', 'replace existing interchange files')
    .option('--gzip', 'compress the files')
    .addHelpText(
      'after',
      '\nfeedloom import --help describes the files. They are no backup: feedloom backup and move keep everything exactly.',
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
