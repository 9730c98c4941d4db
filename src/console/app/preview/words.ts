import type { Plugin, Trace } from '../../../../openapi/client/src/index.ts';
import { useAnswer } from '../ui/resource.ts';
import { inConsoleWords } from '../ui/texts.ts';

export type Stage = Trace['stages'][number]['stage'];

interface StageText {
  title: string;
  /** What it means to be dropped there. */
  dropped: string;
  /** Some names stand for several plugins. In each stage, one kind is meant. */
  kind: Plugin['kind'];
}

/** The stages of a page. */
export const STAGES: Readonly<Record<Stage, StageText>> = {
  candidates: {
    title: 'Candidates',
    dropped: 'It was not among the posts that were collected for the page.',
    kind: 'signals',
  },
  ranking: { title: 'Ranking', dropped: 'Other posts rank higher.', kind: 'scoring_functions' },
  visibility: {
    title: 'Visibility',
    dropped: 'A rule keeps it from this viewer.',
    kind: 'visibility_rules',
  },
  mixing: {
    title: 'Mixing',
    dropped: 'It was left out when the page was put together.',
    kind: 'promotion_strategies',
  },
};

/** Names in answers that are no plugins. */
const OTHERS: Readonly<Record<string, string>> = {
  postings: 'All posts that pass the filters: few enough to look at each.',
  tail: 'The remaining posts, in the order of the whole network.',
  exploration: 'A little-known post that is tried out.',
  promoted_items: 'Picked by hand for this feed.',
  seen_before: 'The viewer has seen it before, and nothing else is left.',
  base: 'What every post starts with.',
  intercept: 'What every post starts with, as learnt.',
  default: 'The score of the default scoring function.',
  diversity: 'Keeps posts of one author apart.',
};

/** What the parts of feeds do: a sentence for each name. Signals also have the names of the sources that they are. */
export type Summaries = (name: string, kind?: Plugin['kind']) => string;

/** Asks the service what its plugins do. Until it answers, and for unknown names, sentences are empty. */
export function useSummaries(): Summaries {
  const { data } = useAnswer('/api/plugins', {});
  return (name, kind) => {
    const found =
      data?.data.filter(
        ({ id, proposes_as }) => (kind === 'signals' && proposes_as === name) || id === name,
      ) ?? [];
    const { summary } = found.find((plugin) => plugin.kind === kind) ?? found[0] ?? {};
    return summary === undefined ? (OTHERS[name] ?? '') : inConsoleWords(summary);
  };
}
