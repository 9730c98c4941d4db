import type { CommunityHealth } from '../../../../../openapi/client/src/index.ts';
import { LIMITS } from '../../../../limits.ts';
import { percent } from '../../ui/texts.ts';

type Feed = CommunityHealth['feeds'][number];
type MeasureName = Exclude<keyof Feed['total'], 'pages' | 'viewers' | 'shown'>;

interface Measure {
  name: MeasureName;
  title: string;
  /** One sentence on what it means. */
  meaning: string;
  /** Not a share of something, so it is shown as it is. */
  is_index?: true;
  /** The number in what there is to show, to compare it with. */
  supply?: 'newcomers_share' | 'small_authors_share';
}

export const MEASURES: readonly Measure[] = [
  {
    name: 'newcomers_share',
    title: 'Newcomers',
    meaning: `Shown posts by authors whose oldest post is at most ${LIMITS.recent_author_days} days old: new members who are not read do not stay.`,
    supply: 'newcomers_share',
  },
  {
    name: 'small_authors_share',
    title: 'Small authors',
    meaning:
      'Shown posts by authors with at most the average number of followers: low means that only the well-known are read.',
    supply: 'small_authors_share',
  },
  {
    name: 'exposure_gini',
    title: 'Inequality of authors',
    meaning:
      'How unevenly authors are shown (Gini coefficient): at 0 all are shown equally often, near 1 a few get nearly everything.',
    is_index: true,
  },
  {
    name: 'coverage',
    title: 'Coverage',
    meaning: 'Posts that were shown at least once, of all that may be shown: nobody sees the others.',
  },
  {
    name: 'new_coverage',
    title: 'Coverage of new posts',
    meaning: 'The same of posts from these days: low means that many new posts never get a chance.',
  },
  {
    name: 'repetition',
    title: 'Repetition',
    meaning:
      'Shown posts that the same viewer had been shown before: high means that viewers get the same again.',
  },
  {
    name: 'distance',
    title: 'Difference between viewers',
    meaning:
      'How different the pages of two viewers are, in the same feed on the same day (Jaccard distance): at 0 all see the same, at 1 no post is on both.',
    is_index: true,
  },
];

export function valueText(value: number | null, { is_index }: Pick<Measure, 'is_index'> = {}): string {
  if (value === null) return '–';
  return is_index ? value.toFixed(2) : percent(value);
}

/** Feeds with a line of their own, beside all pages. */
const LINES_MAX = 4;

/** The lines of a measure by day, first that of all pages. Shares are in percent. */
export function linesOf(
  feeds: readonly Feed[],
  { name, is_index }: Measure,
  nameOf: (feed_id: string | null) => string,
) {
  const days = feeds[0].days.map(({ day }) => day);
  const series = feeds.slice(0, LINES_MAX).map((feed) => {
    const by_day = new Map(feed.days.map((measures) => [measures.day, measures[name]]));
    const values = days.map((day) => {
      const value = by_day.get(day) ?? null;
      return value === null || is_index ? value : value * 100;
    });
    return { name: nameOf(feed.feed_id), values };
  });
  return { times: days.map((day) => Date.parse(day) / 1000), series };
}
