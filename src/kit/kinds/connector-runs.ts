import { emitProblem, isCountedAgain, requireStanding } from '../../plugin/connector.ts';
import type { ConnectorHost, ConnectorRecord, Emitted, PluginLog, StandingKind } from '../../plugin/index.ts';
import { textOf } from '../../plugin/text-of.ts';
import type { ConnectorCase } from '../case-types.ts';
import { expectSame } from '../expectations.ts';
import { checkTaken, historyOf } from '../history.ts';
import { TEST_NOW } from '../test-world.ts';

/** A source and all of its records. */
type Given = ConnectorCase & { expect: ConnectorRecord[] };

/** Makes a connector's function of its options. @throws Error if it rejects them */
type Start = (options: unknown) => (host: ConnectorHost) => Promise<void>;

/** A connector that ends this often without any news is not started again. */
const FRUITLESS_MAX = 3;
/** Turns of the event loop in which a connector could emit while an earlier emit is not stored yet. */
const HELD_TURNS = 50;

interface Journal {
  /** All records that were stored, in order. */
  stored: ConnectorRecord[];
  /** Each record once, in the order in which they first came. */
  records: ConnectorRecord[];
  cursor: string | undefined;
  emits: number;
  log: string[];
}

/** When a run is broken off: around the emit with this number, counted over all runs from 1. */
interface Break {
  at: number;
  when: 'before it is stored' | 'after it is stored';
}

/** Checks a connector against a source that the author opens: all of its records, crashes, back-pressure, abort. */
export async function checkConnector(start: Start, given: Given): Promise<void> {
  const clean = newJournal(given);
  await read(start, given, clean);
  expectRecords('a clean run', clean, given);
  checkTaken(clean.records);
  for (const text of given.warns ?? []) {
    if (clean.log.some((line) => line.includes(text))) continue;
    throw new Error(`no log line contains '${text}'; the log is ${JSON.stringify(clean.log)}`);
  }
  for (let at = 1; at <= clean.emits; at++) {
    for (const when of ['before it is stored', 'after it is stored'] as const) {
      const journal = newJournal(given);
      await read(start, given, journal, { at, when });
      expectRecords(`a crash at emit ${at}, ${when}`, journal, given);
    }
  }
  if (clean.emits > 0) await checkAbort(start, given);
}

/** Runs the connector once, on a source at which it must fail. @throws the failure of its run */
export async function runToFailure(start: Start, given: ConnectorCase): Promise<void> {
  const source = await given.open();
  try {
    const host = new TestHost(newJournal(given), Number.POSITIVE_INFINITY);
    const failure = await host.run(start(source.options ?? given.options));
    if (failure !== undefined) throw failure;
  } finally {
    await source.close?.();
  }
}

function newJournal({ stored = [] }: ConnectorCase): Journal {
  return { stored: [...stored], records: [], cursor: undefined, emits: 0, log: [] };
}

/** Runs the connector until it has emitted everything, and starts it again after a crash like the service. */
async function read(start: Start, given: Given, journal: Journal, broken?: Break): Promise<void> {
  const source = await given.open();
  try {
    const options = source.options ?? given.options;
    let fruitless = 0;
    while (fruitless < FRUITLESS_MAX) {
      const { emits } = journal;
      const host = new TestHost(journal, given.expect.length, broken);
      const reason = await host.run(start(options));
      if (reason === undefined || journal.records.length >= given.expect.length) return;
      fruitless = journal.emits > emits ? 0 : fruitless + 1;
      if (fruitless === FRUITLESS_MAX) throw new Error(`it fails again and again: ${textOf(reason)}`);
    }
  } finally {
    await source.close?.();
  }
}

/** A connector must end soon after its signal is aborted, and must not emit while an earlier emit is not stored. */
async function checkAbort(start: Start, given: Given): Promise<void> {
  const source = await given.open();
  try {
    const options = source.options ?? given.options;
    const journal = newJournal(given);
    const host = new TestHost(journal, Number.POSITIVE_INFINITY);
    const held = host.hold();
    const running = host.run(start(options));
    await Promise.race([held.reached, running]);
    for (let turn = 0; turn < HELD_TURNS; turn++) await nextTurn();
    host.abort();
    held.release();
    await running;
    const { emits } = journal;
    for (let turn = 0; turn < HELD_TURNS; turn++) await nextTurn();
    if (journal.emits > emits) throw new Error('it emits after its run has ended');
  } finally {
    await source.close?.();
  }
}

class TestHost implements ConnectorHost {
  readonly cursor: string | undefined;
  readonly clock = { now: () => TEST_NOW };
  readonly log: PluginLog;
  private readonly controller = new AbortController();
  private emitting = false;
  private fault: Error | undefined;
  private held: { reached(): void; released: Promise<void> } | undefined;

  /** @param expected_count the run is aborted when so many records have come */
  constructor(
    private readonly journal: Journal,
    private readonly expected_count: number,
    private readonly broken?: Break,
  ) {
    this.cursor = journal.cursor;
    const note = (fields: object | string, message?: string) =>
      void journal.log.push(message === undefined ? textOf(fields) : `${message} ${JSON.stringify(fields)}`);
    this.log = { info: note, warn: note, error: note };
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  abort(): void {
    this.controller.abort(new Error('the service is stopping'));
  }

  /** Holds the first emit back. */
  hold(): { reached: Promise<void>; release(): void } {
    const reached = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    this.held = { reached: reached.resolve, released: released.promise };
    return { reached: reached.promise, release: released.resolve };
  }

  /** @returns why the run failed; undefined if the source has ended. @throws Error if the connector broke a rule */
  async run(connector: ReturnType<Start>): Promise<unknown> {
    const failure = await this.failureOf(connector);
    if (this.fault !== undefined) throw this.fault;
    return failure;
  }

  private async failureOf(connector: ReturnType<Start>): Promise<unknown> {
    try {
      await connector(this);
      return this.signal.aborted ? this.signal.reason : undefined;
    } catch (error) {
      return error ?? new Error('it failed without a reason');
    }
  }

  current(kind: StandingKind): ReturnType<ConnectorHost['current']> {
    return historyOf(this.journal.stored).current(requireStanding(kind));
  }

  warning(topic: string, text?: string): void {
    if (text !== undefined) this.log.warn({ topic }, text);
  }

  readonly emit = async (records: readonly ConnectorRecord[], cursor: string): Promise<Emitted> => {
    const { journal, broken } = this;
    this.signal.throwIfAborted();
    if (this.emitting) throw this.broke('it emits before its last emit was stored; await every emit');
    this.emitting = true;
    this.check(records, cursor);
    journal.emits++;
    const breaks = broken?.at === journal.emits ? broken.when : undefined;
    await nextTurn();
    this.held?.reached();
    await this.held?.released;
    this.held = undefined;
    if (breaks === 'before it is stored') throw this.crash();
    for (const record of records) this.store(record);
    journal.cursor = cursor;
    if (breaks === 'after it is stored') throw this.crash();
    this.emitting = false;
    if (journal.records.length >= this.expected_count) this.abort();
    return { accepted: records.length, rejected_count: 0, rejected: [] };
  };

  private store(record: ConnectorRecord): void {
    const { records, stored } = this.journal;
    stored.push(structuredClone(record));
    if (!records.some((each) => Bun.deepEquals(each, record))) records.push(structuredClone(record));
    else if (isCountedAgain(record))
      throw this.broke(
        `a repeated act would count twice; give it a timestamp or an event_id: ${textOf(record)}`,
      );
  }

  private crash(): Error {
    const error = new Error('the service was killed');
    this.controller.abort(error);
    return error;
  }

  private broke(rule: string): Error {
    this.fault ??= new Error(rule);
    return this.fault;
  }

  private check(records: readonly ConnectorRecord[], cursor: string): void {
    const problem = emitProblem(records, cursor);
    if (problem !== undefined) throw this.broke(problem);
  }
}

function expectRecords(what: string, { records }: Journal, given: Given): void {
  try {
    expectSame(records, given.expect);
  } catch (error) {
    throw new Error(`${what}: ${error instanceof Error ? error.message : textOf(error)}`);
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
