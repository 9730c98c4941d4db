import type { Clock, Seconds } from '../clock.ts';
import { ServiceError } from '../errors.ts';
import type { ShownLog } from '../ingest/shown-log.ts';
import { LIMITS } from '../limits.ts';
import type { Key } from '../model/key.ts';
import { NONE } from '../plugin/index.ts';
import { newPageId, type Recording, type SeenBook } from '../seen/seen-book.ts';
import type { SeenRow } from '../seen/seen-row.ts';
import type { State } from '../state/state.ts';
import { feedNumber } from '../store/feeds.ts';
import { NO_ARM } from '../store/rows.ts';
import { mayLog } from './logged-page.ts';
import { PageSigner, partOf, type SentPage } from './page-id.ts';

/** What a viewer really saw, as a client reports it. */
export interface SeenReport {
  viewer_id: string;
  item_ids: readonly string[];
  /** Of an answer. It wins over `feed_id`. */
  page_id?: string;
  /** Where the `page_id` is in the request, for errors. */
  path?: string;
  feed_id?: string;
  /** Default: now. */
  timestamp?: Seconds;
  /** The variant of an experiment, without a page. Default: `NO_ARM`. */
  arm?: number;
}

export interface SeenReportsOptions {
  state: State;
  clock: Clock;
  seen: Pick<SeenBook, 'viewerOf' | 'read' | 'record' | 'settle'>;
  /** Absent if pages of the community are not logged. */
  shown?: Pick<ShownLog, 'add'>;
  cursor_secret: Uint8Array;
}

/** `accepted`: viewers who had no row before. `recorded`: items, without those that were recorded before. */
export interface Recorded {
  accepted: number;
  recorded: number;
}

/** Ids of items that were left out: unknown ones, and those that were not on the page of the report. */
export interface LeftOut {
  unknown: Set<string>;
  elsewhere: Set<string>;
}

/** A report whose items are keys. */
interface Resolved {
  viewer: string;
  page_id: number;
  page: NonNullable<Recording['page']> & { time: Seconds };
  /** Without a page, items that were seen since are not recorded again. */
  since: Seconds;
  sent: SentPage | undefined;
  /** Whether the reported part of the page is logged now. */
  is_logged: boolean;
  /** The place of the viewer in the experiment that has the arm. */
  point: number;
}

/** How often a report is tried to be recorded, because others write the row of its viewer. */
const ATTEMPTS_MAX = 10;

/** Records what clients report as seen, without building a page. Sending a report again changes nothing. */
export class SeenReports {
  private readonly page_ids: PageSigner;

  constructor(private readonly options: SeenReportsOptions) {
    this.page_ids = new PageSigner(options.cursor_secret);
  }

  /**
   * Records reports. Resolves when they are durable.
   * @param within records if there is room for so many new rows
   * @throws ServiceError `page_invalid`, and then nothing is recorded; errors of `within`; `store_unavailable`
   */
  async record(
    reports: readonly SeenReport[],
    within: (new_rows: number, record: () => Promise<Recorded>) => Promise<Recorded> = (_, record) =>
      record(),
  ): Promise<Recorded & { left_out: LeftOut }> {
    const { state, seen } = this.options;
    const left_out: LeftOut = { unknown: new Set<string>(), elsewhere: new Set<string>() };
    const resolved = reports.map((report) => this.resolved(report, left_out));
    const of_viewers = Map.groupBy(
      resolved.filter(({ page }) => page.keys.length > 0),
      ({ viewer }) => viewer,
    );
    const { seq } = state;
    const rows = await Promise.all([...of_viewers.keys()].map((viewer) => seen.read(viewer)));
    const new_rows = rows.filter(({ number }) => number === 0).length;
    const done = await within(new_rows, async () => {
      const counts = await Promise.all(
        rows.map((row) => this.recordAll(row, of_viewers.get(row.viewer) ?? [], seq)),
      );
      return { accepted: new_rows, recorded: counts.reduce((sum, count) => sum + count, 0) };
    });
    return { ...done, left_out };
  }

  private resolved(
    {
      viewer_id,
      item_ids,
      page_id: text,
      path = 'page_id',
      feed_id = '',
      timestamp,
      arm = NO_ARM,
    }: SeenReport,
    { unknown, elsewhere }: LeftOut,
  ): Resolved {
    const { state, clock, seen } = this.options;
    const now = clock.now();
    const viewer = seen.viewerOf(viewer_id);
    const sent = text === undefined ? undefined : this.page_ids.read(viewer, text, now, path);
    const is_logged = sent?.is_logged_late === true && mayLog(state, viewer_id);
    const on_page = sent && new Set(sent.page.items);
    const keys = new Set<Key>();
    for (const item_id of item_ids) {
      const item = state.items.names.find(item_id);
      const key = item === NONE ? NONE : state.items.names.key(item);
      if (key === NONE) unknown.add(item_id);
      else if (on_page?.has(key) === false) elsewhere.add(item_id);
      else keys.add(key);
    }
    const feed = sent?.page.feed ?? feedNumber(feed_id) ?? 0;
    const page = { keys: Uint32Array.from(keys), feed, arm: sent?.arm ?? arm, time: timestamp ?? now };
    // A report without a time may be sent again some moments later. Times are stored in milliseconds.
    const since =
      timestamp === undefined ? now - LIMITS.cached_answer_seconds : Math.floor(timestamp * 1000) / 1000;
    const point = page.arm === NO_ARM ? 0 : state.experiments.pointIn(page.arm, viewer_id);
    return { viewer, page_id: sent?.page_id ?? newPageId(), page, since, sent, is_logged, point };
  }

  /** Records reports of one viewer, one after another. @returns the number of items that were not recorded before */
  private async recordAll(row: SeenRow, reports: readonly Resolved[], applied_seq: number): Promise<number> {
    let recorded = 0;
    let latest = row;
    for (const report of reports) {
      recorded += await this.recordOne(latest, report, applied_seq);
      latest = await this.options.seen.read(row.viewer);
    }
    return recorded;
  }

  private async recordOne(first: SeenRow, report: Resolved, applied_seq: number): Promise<number> {
    const { seen } = this.options;
    let row = first;
    let unsure = 0;
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      const keys = newKeys(row, report);
      if (keys.length === 0) return unsure;
      const { page_id, point, sent } = report;
      const counted = { is_short: sent?.is_short ?? false, teams: teamsOf(keys, sent), point };
      const recording = { page_id, page: { ...report.page, keys }, counted, applied_seq };
      const outcome = await seen.record(row, recording).catch(() => 'unknown' as const);
      if (outcome === 'erased') return 0;
      if (outcome === 'written') {
        this.logLate(report, keys);
        return keys.length;
      }
      // Reading the row again settles it: what was written is not new.
      if (outcome === 'unknown') unsure = keys.length;
      row = await seen.settle(row.viewer);
    }
    throw new ServiceError(
      'store_unavailable',
      'what was seen could not be recorded; send it again',
      undefined,
      1,
    );
  }

  /** Logs the reported part of a page that was not logged when it was sent. */
  private logLate({ viewer, sent, is_logged, page: { time } }: Resolved, keys: Uint32Array): void {
    if (sent === undefined || !is_logged) return;
    const reported = new Set(keys);
    const places = [...sent.page.items.keys()].filter((at) => reported.has(sent.page.items[at]));
    const page = partOf(sent.page, places);
    const learning = page.learning && { ...page.learning, is_reported: true };
    this.options.shown?.add(viewer, { ...page, learning, time });
  }
}

/** The teams of some items of a page. Empty without teams. */
function teamsOf(keys: Uint32Array, sent: SentPage | undefined): Uint8Array {
  if (sent === undefined || sent.teams.length === 0) return new Uint8Array();
  const teams = new Map([...sent.page.items].map((key, at) => [key, sent.teams[at]]));
  return Uint8Array.from(keys, (key) => teams.get(key) ?? 0);
}

/**
 * The keys of a report that were not recorded before: for its page, or without a page since its time. What counts for an
 * experiment is recorded for each variant.
 */
function newKeys(row: SeenRow, { sent, page, since }: Resolved): Uint32Array<ArrayBuffer> {
  const { arm } = page;
  if (sent === undefined && arm === NO_ARM)
    return page.keys.filter((key) => (row.lastSeen(key) ?? -1) < since) as Uint32Array<ArrayBuffer>;
  const same = row.pages.filter((one) =>
    sent === undefined ? one.arm === arm && one.time >= since : one.page_id === sent.page_id,
  );
  const known = new Set(same.flatMap(({ keys }) => [...keys]));
  return page.keys.filter((key) => !known.has(key)) as Uint32Array<ArrayBuffer>;
}
