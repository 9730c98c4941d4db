import { hash32 } from '../../workloads/community/chance.ts';
import { DEMO_COMMUNITY } from '../../workloads/community/community.ts';
import { PAGE_ITEMS, Readers, type Tab, type Traffic, type Visit } from '../../workloads/community/visits.ts';
import { DAY_SECONDS, type PastClock } from '../clock.ts';
import { DEFAULT_ACCOUNT } from '../http/identity/auth.ts';
import { LIMITS } from '../limits.ts';
import { NO_SIGNALS } from '../model/shown-page.ts';
import { PageSigner } from '../serve/page-id.ts';
import type { SeenReport } from '../serve/seen-reports.ts';
import type { Service } from '../service.ts';
import { feedNumber } from '../store/feeds.ts';
import { NO_ARM } from '../store/rows.ts';
import { cliActor } from './actor.ts';
import { DEMO_FEEDS, feedIdOf, tabOf } from './demo-feeds.ts';
import { ACTS, DESCRIBED, type Samples } from './fill-demo.ts';

/** A service in the past of the demo. */
export interface PastService {
  service: Service;
  clock: Pick<PastClock, 'set'>;
}

/** How many days the demo has lived. The console shows as many. */
const DAYS = LIMITS.feed_days_kept;
/** Days before now, at whose ends experiments begin and end. */
const FIRST = { begins: 24, ends: 10 };
const SECOND = { begins: 5 };

/** At first, the app begins with the newest posts. After the first experiment, it begins with the personal page. */
const NEWEST_FIRST: Traffic = { share: 0.32, tabs: [0, 0.2, 0.7, 0.06, 0.04] };
const PERSONAL_FIRST: Traffic = { share: 0.27, tabs: [0.44, 0.28, 0.18, 0.06, 0.04] };

/**
 * The first experiment has a result when it ends. The second one runs, so it is about none of the first three tabs: their
 * names must say what everybody gets. With its salt, the users whom the demo names are in the control group.
 */
const EXPERIMENTS = [
  { name: 'For you in place of Latest (made up)', tab: 'latest', treatment: 'for-you', salt: 'demo-1' },
  {
    name: 'For you in place of Music in English (made up)',
    tab: 'music',
    treatment: 'for-you',
    salt: 'demo-4',
  },
] as const;

/**
 * Lets the service live the days before the time of the samples: feeds are saved, records arrive day by day, readers
 * see pages, and experiments begin and end. Everything goes the way that requests take.
 *
 * Days that were lived before are left out, and repeating a part of a day changes nothing.
 * @param stopping ends it after a day
 */
export async function liveThrough(past: PastService, samples: Samples, stopping: AbortSignal): Promise<void> {
  const { service, clock } = past;
  const { now } = samples;
  const readers = new Readers(DEMO_COMMUNITY.seed, samples);
  const pages = await ReportedPages.of(service);
  for (let day = DAYS; day >= 0; day--) {
    const until = now - day * DAY_SECONDS;
    if (service.state.applied_at > until) continue;
    if (stopping.aborted) return;
    clock.set(until);
    const after = day === DAYS ? Number.NEGATIVE_INFINITY : until - DAY_SECONDS;
    await samples.ingest(service, DESCRIBED, after, until);
    if (day === DAYS) await saveFeeds(service);
    else {
      const traffic = day < FIRST.ends ? PERSONAL_FIRST : NEWEST_FIRST;
      await pages.report(readers, readers.visits(after, until, traffic, day));
    }
    await samples.ingest(service, ACTS, after, until);
    if (day === FIRST.begins) await begin(service, 0);
    if (day === FIRST.ends) await end(service, 0);
    if (day === SECOND.begins) await begin(service, 1);
  }
}

function editor() {
  return { account: DEFAULT_ACCOUNT, actor: cliActor() };
}

async function saveFeeds({ saved_feeds }: Service): Promise<void> {
  for (const feed of DEMO_FEEDS)
    if (saved_feeds.find(feedIdOf(feed.tab), DEFAULT_ACCOUNT) === undefined)
      await saved_feeds.create(editor(), feed.body);
}

async function begin({ experiments }: Service, index: 0 | 1): Promise<void> {
  if (experiments.list(DEFAULT_ACCOUNT).length > index) return;
  const { name, tab, treatment, salt } = EXPERIMENTS[index];
  const variants = [
    { name: 'control', feed_id: feedIdOf(tab), percent: 50 },
    { name: 'for you', feed_id: feedIdOf(treatment), percent: 50 },
  ];
  const body = { name, feed_id: feedIdOf(tab), variants, attribution_hours: 72 };
  await experiments.create(editor(), body, salt);
}

async function end({ experiments }: Service, index: 0 | 1): Promise<void> {
  await experiments.change(editor(), `exp_${index + 1}`, { status: 'stopped' }, () => true);
}

/** Reports pages that readers saw in the past, as an app does that reports what was really seen. */
class ReportedPages {
  private constructor(
    private readonly service: Service,
    private readonly page_ids: PageSigner,
  ) {}

  static async of(service: Service): Promise<ReportedPages> {
    return new ReportedPages(service, new PageSigner(await service.store.cursorSecret()));
  }

  async report(readers: Readers, visits: readonly Visit[]): Promise<void> {
    const { seen_reports, ingest } = this.service;
    await seen_reports.record(visits.map((visit) => this.reportOf(readers, visit)));
    // Acts count for pages that were logged before.
    await ingest.shown.flushed();
  }

  private reportOf(readers: Readers, { user_id, tab, timestamp }: Visit): SeenReport {
    const { experiments, seen, state } = this.service;
    const feed_id = feedIdOf(tab);
    const variant = experiments.served.variantOf(feed_id, user_id)?.variant;
    const shown: Tab = variant === undefined ? tab : tabOf(variant.feed_id);
    const item_ids = readers.page({ user_id, tab: shown, timestamp });
    const { names } = state.items;
    const page = {
      time: timestamp,
      feed: feedNumber(feed_id) ?? 0,
      feed_type: tab === 'newcomers' ? ('popular' as const) : ('for-you' as const),
      items: names.keysOf(item_ids.map((item_id) => names.find(item_id))),
      slots: Uint16Array.from(item_ids, (_, at) => at + 1),
      origins: new Uint8Array(item_ids.length),
      ...NO_SIGNALS,
    };
    const sent = {
      page_id: hash32(Math.floor(timestamp), Number(user_id)),
      arm: variant?.arm ?? NO_ARM,
      is_short: item_ids.length < PAGE_ITEMS,
      is_logged_late: true,
      page,
      teams: new Uint8Array(),
    };
    return {
      viewer_id: user_id,
      item_ids,
      page_id: this.page_ids.write(seen.viewerOf(user_id), sent),
      timestamp,
    };
  }
}
