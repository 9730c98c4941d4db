import type { AnswerOf } from '../../../../../openapi/client/src/index.ts';
import { percent } from '../../ui/texts.ts';

export type Experiment = AnswerOf<'GET', '/api/experiments/{id}'>['data'];
export type Results = Experiment['results'];
export type Comparison = Results['comparison'][number];
export type Metric = Experiment['metric'];
export type Method = Experiment['method'];

/** How a metric is called, and how its values are read. */
interface MetricText {
  title: string;
  help: string;
  /** Values are shares from 0 to 1. */
  is_share?: true;
  /** Fewer of them are better. */
  is_harm?: true;
}

const ACTS = 'Likes, comments, shares and bookmarks';

/** The metrics that an experiment can be about, the usual ones first. */
export const METRICS: Readonly<Record<Metric, MetricText>> = {
  interactions: { title: 'Interactions per viewer', help: `${ACTS} on posts that the feed showed.` },
  interactions_per_impression: {
    title: 'Interactions per post shown',
    help: `${ACTS}, divided by the posts that the feed showed.`,
  },
  like: { title: 'Likes per viewer', help: 'Likes of posts that the feed showed.' },
  comment: { title: 'Comments per viewer', help: 'Comments on posts that the feed showed.' },
  share: { title: 'Shares per viewer', help: 'Shares of posts that the feed showed.' },
  bookmark: { title: 'Bookmarks per viewer', help: 'Bookmarks of posts that the feed showed.' },
  view: {
    title: 'Views per viewer',
    help: 'Views of posts that the feed showed, as far as your program sends them.',
  },
  next_day_return: {
    title: 'Viewers who return the next day',
    help: 'Viewers who read the feed again on the day (UTC) after their first one.',
    is_share: true,
  },
  hide: {
    title: 'Hides per viewer',
    help: 'Posts that viewers hid after the feed showed them.',
    is_harm: true,
  },
  report: {
    title: 'Reports per viewer',
    help: 'Posts that viewers reported after the feed showed them.',
    is_harm: true,
  },
  short_pages: {
    title: 'Short pages',
    help: 'Pages with fewer posts than were asked for.',
    is_share: true,
    is_harm: true,
  },
};

/** Metrics by which interleaved variants are compared. */
export const CREDIT_METRICS: readonly Metric[] = [
  ...(['interactions', 'like', 'comment', 'share', 'bookmark', 'view', 'hide', 'report'] as const),
];

/** How a metric of a method is called. Acts on interleaved pages count per page. */
export function titleOf(metric: Metric, method: Method): string {
  const { title } = METRICS[metric];
  return method === 'interleaving' ? title.replace('per viewer', 'per page') : title;
}

const RATE = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });
const LIFT = new Intl.NumberFormat('en', {
  style: 'percent',
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
});

/** `0.423`, or `12.4%` for a share. */
export function rateText(value: number | null, metric: Metric): string {
  if (value === null) return '–';
  return METRICS[metric].is_share ? percent(value) : RATE.format(value);
}

/** `+12.3%`, with the minus sign of print. */
export function liftText(lift: number | null): string {
  return lift === null ? '–' : LIFT.format(lift).replace('-', '−');
}

/** `+1% to +3%`: the ends of an interval. */
export function intervalText(
  low: number | null,
  high: number | null,
  textOf: (end: number | null) => string,
): string {
  return low === null ? '–' : `${textOf(low)} to ${textOf(high)}`;
}

/** `0.031`, `below 0.001`. */
export function pValueText(p_value: number | null): string {
  if (p_value === null) return '–';
  return p_value < 0.001 ? 'below 0.001' : p_value.toFixed(3);
}

/** `p = 0.031`, `p below 0.001`. */
export function pValueSentence(p_value: number | null): string {
  return p_value === null || p_value >= 0.001 ? `p = ${pValueText(p_value)}` : `p ${pValueText(p_value)}`;
}

export function percentText(amount: number): string {
  return `${RATE.format(amount)}%`;
}
