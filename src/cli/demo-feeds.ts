import { channelOf } from '../../workloads/community/topics.ts';
import { TABS, type Tab } from '../../workloads/community/visits.ts';
import {
  DIVERSE,
  FOLLOWING,
  FOR_YOU,
  LATEST,
  newcomersConfig,
  SEEN_LAST,
} from '../console/app/pages/feeds/starting-configs.ts';

const MADE_UP = 'The demo saved this feed. Its readers and their acts are made up.';

function feed(tab: Tab, name: string, text: string, config: object, endpoint = 'feeds/for-you') {
  return { tab, body: { name, description: `${text} ${MADE_UP}`, endpoint, config } };
}

/** The saved feeds of the demo, `feed_1` first. */
export const DEMO_FEEDS = [
  feed('for-you', 'For you', 'What the reader likes, and what similar readers like.', FOR_YOU),
  feed('following', 'Following', 'The newest posts of followed people.', FOLLOWING),
  feed('latest', 'Latest', 'The newest posts of all people.', LATEST),
  feed('music', 'Music in English', 'Posts about music in English, for each reader.', {
    ...SEEN_LAST,
    filters: { channels: [channelOf('music')], languages: ['en'] },
    feed_diversity_config: DIVERSE,
  }),
  feed(
    'newcomers',
    'Newcomers',
    'For readers without a history: what most people like, without spam.',
    { ...SEEN_LAST, ...newcomersConfig(['spam', 'llm_generated']) },
    'feeds/popular',
  ),
];

/** The first saved feed of new data is `feed_1`, and ids are never used twice. */
export function feedIdOf(tab: Tab): string {
  return `feed_${TABS.indexOf(tab) + 1}`;
}

export function tabOf(feed_id: string): Tab {
  return TABS.find((tab) => feedIdOf(tab) === feed_id) ?? TABS[0];
}
