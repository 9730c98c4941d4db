import { join, resolve } from 'node:path';
import { ManualClock, monotonicMs } from '../clock.ts';
import { ServiceError, StartupError } from '../errors.ts';
import { ActiveItems } from '../evaluate/active-items.ts';
import type { AlphaStage } from '../evaluate/alpha.ts';
import { Lessons } from '../evaluate/lessons.ts';
import type { OnProgress, Phase } from '../evaluate/progress.ts';
import type { Stage } from '../evaluate/protocol.ts';
import { jsonReport, tableReport } from '../evaluate/report.ts';
import type { Evaluation } from '../evaluate/scoreboard.ts';
import { readTimeline } from '../evaluate/timeline.ts';
import {
  type FeedKind,
  type IgnoredFile,
  type InterchangeFile,
  readFolder,
  type WalletKind,
} from '../interchange/files.ts';
import { type DatedEvent, walletFormatOf } from '../interchange/formats.ts';
import { importEvents } from '../interchange/importer.ts';
import { ImportLog } from '../interchange/report.ts';
import { Source } from '../interchange/source.ts';
import { printable } from '../printable.ts';
import type { Registry } from '../registry/registry.ts';
import { closeService, openService, type Service } from '../service.ts';
import type { Settings } from '../settings.ts';
import { VolatileStore } from '../store/volatile.ts';
import { TerminalBar } from './import-progress.ts';
import { print, printNotice } from './output.ts';

export interface Common {
  data: string;
  topK: number;
  seed: number;
  json?: true;
}

/** An empty community, and the files of the data folder. */
export interface Opened {
  registry: Registry;
  active: ActiveItems;
  feed_files: readonly InterchangeFile<FeedKind>[];
  log: ImportLog;
  /** Reads the records, which may take long. */
  read(): Promise<Stage>;
}

/** What a command prints. */
export interface Outcome {
  text: string;
  /** Printed to stderr. */
  note?: string;
}

/** The result of a protocol, as a table or JSON. */
export function outcomeOf(evaluation: Evaluation, json: true | undefined): Outcome {
  const note = evaluation.advice && `note: ${evaluation.advice}`;
  return { text: json ? jsonReport(evaluation) : tableReport(evaluation), note };
}

/**
 * Opens an empty community in memory, runs a protocol there on the data, and prints its result.
 * @param known other files in the folder for which no notice is printed
 * @param options `reads_pages`: whether the protocol uses the pages that were shown
 * @throws StartupError for a folder without interchange files, a refused plugin, or an error of the protocol
 */
export async function onStage(
  given: Settings,
  { data }: Pick<Common, 'data'>,
  known: readonly string[],
  run: (opened: Opened) => Promise<Outcome>,
  { reads_pages = false } = {},
): Promise<void> {
  const { files: all, feed_files, wallet_files, ignored } = readFolder(data);
  const files = all.filter(({ kind }) => reads_pages || kind !== 'impressions');
  if (files.length === 0) throw nothingFor('feedloom evaluate alpha', data);
  const of_wallets = wallet_files.map(({ name }) => ({ name, reason: 'it is about wallets' }));
  const pages = all.filter((file) => !files.includes(file)).map(ignoredPages);
  printIgnored([...ignored, ...of_wallets, ...pages], data, known);
  await inMemory(given, async ({ service, clock, lessons, log, bar }) => {
    const active = new ActiveItems();
    const { registry } = service;
    registry.add(active.plugin, COMMAND);
    const read = async (): Promise<Stage> => {
      const total = files.reduce((sum, { bytes = 0 }) => sum + bytes, 0);
      bar.show('reading', 0, total);
      const timeline = await readTimeline(files, log, (bytes) => bar.show('reading', bytes, total));
      if (timeline.undated_counters > 0) bar.print(`${timeline.undated_counters} items ${UNDATED}`);
      const onProgress: OnProgress = (...progress) => bar.show(...progress);
      return { community: { ...service, clock, lessons }, timeline, data, log, onProgress };
    };
    return run({ registry, active, feed_files, log, read });
  });
}

/**
 * The same for the community of wallets: runs a protocol on an empty community and the events of the folder.
 * @throws StartupError for a folder without events, or an error of the protocol
 */
export async function onWalletStage(
  given: Settings,
  { data, json }: Common,
  run: (stage: AlphaStage, events: readonly DatedEvent[]) => Promise<Evaluation>,
): Promise<void> {
  const { files, wallet_files, ignored } = readFolder(data);
  const file = wallet_files.find(({ kind }) => kind === 'events');
  if (file === undefined) throw nothingFor('another protocol', data);
  const others = [...files, ...wallet_files.filter(({ kind }) => kind !== 'events')];
  printIgnored([...ignored, ...others.map(({ name }) => ({ name, reason: 'it holds no events' }))], data, []);
  await inMemory(given, async ({ service: { alpha, settings }, clock, log, bar }) => {
    bar.show('reading', 0, file.bytes ?? 0);
    const events = await readEvents(file, alpha.chain, log);
    const onProgress: OnProgress = (...progress) => bar.show(...progress);
    const apply = async (past: readonly DatedEvent[]) => {
      clock.set(past.at(-1)?.timestamp ?? 0);
      await importEvents({ ...(await alpha.create()), settings }, past);
    };
    return outcomeOf(await run({ alpha, data, apply, onProgress }, events), json);
  });
}

async function readEvents(
  file: InterchangeFile<WalletKind>,
  chain: string,
  log: ImportLog,
): Promise<DatedEvent[]> {
  const events: DatedEvent[] = [];
  for await (const entry of new Source(file, log, walletFormatOf(file, chain)).entries())
    if (entry.kind === 'events') events.push(entry.record);
  log.throwIfStopped();
  return events;
}

const COMMAND = 'feedloom evaluate';

function nothingFor(other: string, data: string): StartupError {
  const message = `there is nothing in '${data}' that this protocol is about`;
  return new StartupError('nothing_to_evaluate', message, `Try ${other}.`);
}

function printIgnored(ignored: readonly IgnoredFile[], data: string, known: readonly string[]): void {
  for (const { name, reason } of ignored) {
    if (!known.includes(resolve(join(data, name)))) printNotice(`ignored: ${printable(name)} (${reason})`);
  }
}

interface Opening {
  service: Service;
  clock: ManualClock;
  lessons: Lessons;
  log: ImportLog;
  bar: PhaseBar;
}

/** Opens an empty service in memory, runs a protocol there and prints its result. */
async function inMemory(given: Settings, run: (opening: Opening) => Promise<Outcome>): Promise<void> {
  const bar = new PhaseBar();
  const log = new ImportLog(false, (line) => bar.print(line), 'Nothing has been evaluated.');
  const clock = new ManualClock(0);
  // Without a lag, a page depends only on the data and the seed, not on the speed of the machine.
  const settings: Settings = { ...given, derived_lag_ms: 0, metadata_provider: 'catalog' };
  const store = new VolatileStore();
  const lessons = new Lessons();
  const service = await openService(settings, {
    command: COMMAND,
    clock,
    monotonicMs,
    store,
    shown: lessons,
  });
  for (const { message } of service.refused_plugins) printNotice(message);
  try {
    const { text, note } = await run({ service, clock, lessons, log, bar }).catch(namingPlugin);
    bar.end();
    print(text);
    if (note !== undefined) printNotice(note);
  } finally {
    bar.end();
    await closeService(service);
  }
}

/** Adds the plugin and the cause to the error: here the reader is its author. */
function namingPlugin(error: unknown): never {
  if (!(error instanceof ServiceError) || error.code !== 'plugin_failed') throw error;
  const { message, cause } = error.cause as Error;
  throw new StartupError(error.code, `${message}: ${cause instanceof Error ? cause.message : cause}`);
}

const UNDATED = 'have counters without updated_at; those are left out, as their time is unknown';

function ignoredPages({ name }: { name: string }): { name: string; reason: string } {
  return { name, reason: 'pages are built again, and past impressions are not used' };
}

const DOING: Readonly<Record<Phase, string>> = {
  reading: 'reading the files (bytes)',
  applying: 'applying earlier records (records)',
  asking: 'building pages',
  fitting: 'fitting weights (pages)',
  choosing: 'comparing changes (pages)',
  reporting: 'measuring the proposal (pages)',
};

/** A progress bar for each phase on a terminal; nothing elsewhere. */
class PhaseBar {
  private readonly bar = new TerminalBar(
    '{doing} {bar} {percentage} % | {value} of {total} | {seconds} s',
    20,
  );

  show(phase: Phase, done: number, total: number): void {
    if (!process.stderr.isTTY) return;
    this.bar.show(phase, done, total, { seconds: Math.round(this.bar.seconds), doing: DOING[phase] });
  }

  print(line: string): void {
    this.bar.print(line);
  }

  end(): void {
    this.bar.end();
  }
}
