import type { Clock } from '../clock.ts';
import { ServiceError } from '../errors.ts';
import type { ShownLog } from '../ingest/shown-log.ts';
import { shortHash } from '../seen/head.ts';
import { newPageId, type Recording, type RecordOutcome, type SeenBook } from '../seen/seen-book.ts';
import type { SeenRow } from '../seen/seen-row.ts';
import type { State } from '../state/state.ts';
import { NO_ARM } from '../store/rows.ts';
import type { RequestName } from './answer-cache.ts';
import { loggedPage, mayLog } from './logged-page.ts';
import type { Built } from './page-builder.ts';
import { PageSigner, type SentPage, withoutSignals } from './page-id.ts';
import { learningPageOf } from './page-learning.ts';
import type { Prepared } from './prepare.ts';

export interface PageRecorderOptions {
  state: State;
  clock: Clock;
  seen?: SeenBook;
  /** Absent if pages of the community are not logged. */
  shown?: Pick<ShownLog, 'add'>;
  cursor_secret: Uint8Array;
  /** See `LearningPage`. */
  learn_window_s: number;
}

/** Records the first page of a viewer. @throws ServiceError `quota_exceeded` without room for a further row */
export type NewRow = (record: () => Promise<RecordOutcome>) => Promise<RecordOutcome>;

/** What is stored and sent about a page. Keys of items, since ordinals are reused while the page is completed. */
export interface NotedPage {
  page_id: number;
  /** What its viewer may report. Undefined without a viewer, and for previews. */
  sent: (SentPage & { viewer: string; is_logged: boolean }) | undefined;
  recording: Recording | undefined;
}

/** An answer to a repeated request has an id already, and records nothing. */
type About = { applied_seq: number; name: RequestName | undefined } | { page_id: number };

/** Records pages as seen, and logs that they were sent. */
export class PageRecorder {
  private readonly page_ids: PageSigner;

  constructor(private readonly options: PageRecorderOptions) {
    this.page_ids = new PageSigner(options.cursor_secret);
  }

  /** Call it in the step that builds the page. */
  note(prepared: Prepared, built: Built, about: About): NotedPage {
    const { state, clock, seen } = this.options;
    const { asked, viewer_id, learning, assigned, seen: row } = prepared;
    const page_id = 'page_id' in about ? about.page_id : newPageId();
    const teams = assigned?.teams ? teamsOf(built.page, assigned.teams) : new Uint8Array();
    const of_page = { page_id, arm: assigned?.variant.arm ?? NO_ARM, is_short: built.is_short, teams };
    const { page_of } = learning;
    const learns = built.signals && learningPageOf(learning, this.options.learn_window_s);
    const is_sent = viewer_id !== undefined && seen !== undefined && !asked.unsaved;
    const sent = is_sent
      ? {
          ...of_page,
          viewer: row?.viewer ?? seen.viewerOf(viewer_id),
          is_logged_late: asked.mark_seen === false,
          is_logged: asked.mark_seen !== false && mayLog(state, viewer_id),
          page: loggedPage(state.items.names, page_of, clock.now(), built.page, built.signals, learns),
        }
      : undefined;
    const recording =
      'page_id' in about ? undefined : this.recordingOf(prepared, built, about, of_page, page_of.feed);
    return { page_id, sent, recording };
  }

  pageIdOf({ sent }: NotedPage): string | undefined {
    // What was logged already need not be sent.
    const page = sent?.is_logged_late ? sent.page : sent && withoutSignals(sent.page);
    return sent && page && this.page_ids.write(sent.viewer, { ...sent, page });
  }

  /**
   * Records a page that is about to be sent.
   * @param row that it was built from
   * @returns `unknown` if reading the row has to tell; a warning if there is no room for a further row
   */
  async record(
    row: SeenRow | undefined,
    { recording, sent }: NotedPage,
    newRow: NewRow,
  ): Promise<'done' | 'conflict' | 'unknown' | { warning: string }> {
    const { seen, shown } = this.options;
    if (recording !== undefined && seen !== undefined && row !== undefined) {
      const record = () => seen.record(row, recording);
      try {
        if ((await (row.number === 0 ? newRow(record) : record())) === 'conflict') return 'conflict';
      } catch (error) {
        if (!(error instanceof ServiceError) || error.code !== 'quota_exceeded') return 'unknown';
        const warning = `these items are not recorded as seen and may be shown again: ${error.detail}`;
        return { warning };
      }
    }
    if (sent?.is_logged) shown?.add(sent.viewer, sent.page);
    return 'done';
  }

  /** Undefined if nothing is recorded. */
  private recordingOf(
    { asked, offset, is_unread, assigned }: Prepared,
    { page }: Built,
    { applied_seq, name }: { applied_seq: number; name: RequestName | undefined },
    { page_id, arm, is_short, teams }: Pick<SentPage, 'page_id' | 'arm' | 'is_short' | 'teams'>,
    feed: number,
  ): Recording | undefined {
    const count = offset === undefined ? Math.min(asked.impression_count, page.length) : 0;
    if (is_unread || (count === 0 && name === undefined)) return undefined;
    const keys = this.options.state.items.names.keysOf(page.map(({ item }) => item));
    return {
      page_id,
      applied_seq,
      counted: assigned && { is_short, teams: teams.slice(0, count), point: assigned.point },
      page: count === 0 ? undefined : { keys: keys.slice(0, count), feed, arm },
      reply: name && {
        ...{ hash: shortHash(name.key), digest: shortHash(name.digest), keys },
        ...(teams.length > 0 ? { teams } : {}),
      },
    };
  }
}

/** For each item the number of the interleaved variant that chose it, or 0. */
function teamsOf(page: Built['page'], teams: readonly string[]): Uint8Array {
  return Uint8Array.from(page, ({ team }) => (team === undefined ? 0 : teams.indexOf(team) + 1));
}
