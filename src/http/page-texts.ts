import type { AnswerItem } from '../feed/answer.ts';
import type { PageAnswer } from './feed-answer.ts';

/** Items whose texts are kept: some pages' worth. */
const KEPT_MAX = 4096;

/** The beginning of an item's text, up to its social proof, and what it says. */
interface Beginning {
  source_feed: string;
  score: number;
  adjusted_score: number;
  popular_score: number;
  trending_score: number;
  text: string;
}

/**
 * The JSON text of answers, letter by letter what `JSON.stringify` makes of them, which takes twice to three times as long:
 * the items of trending and popular pages stand on one page after another, with scores that are the same for everybody.
 */
export class PageTexts {
  private readonly kept = new Map<string, Beginning>();

  of({ body, trace, warnings }: PageAnswer): string {
    const items = body.map((item) => this.itemText(item)).join(',');
    const more = trace === undefined ? '' : `,"trace":${JSON.stringify(trace)}`;
    const last = warnings === undefined ? '' : `,"warnings":${JSON.stringify(warnings)}`;
    return `{"status_code":200,"body":[${items}]${more}${last}}`;
  }

  private itemText(item: AnswerItem): string {
    if (isOfItsOwn(item)) return JSON.stringify(item);
    const { social_proof, following_engagement, text_length } = item;
    const { like, comment, share } = following_engagement;
    const proofs = social_proof.length === 0 ? '[]' : JSON.stringify(social_proof);
    const acts = `{"like":${like},"comment":${comment},"share":${share}}`;
    return `${this.beginning(item)},"social_proof":${proofs},"following_engagement":${acts},"text_length":${text_length}}`;
  }

  /** Everything before the social proof. */
  private beginning(item: AnswerItem): string {
    const { item_id, source_feed, score, adjusted_score, popular_score, trending_score } = item;
    const known = this.kept.get(item_id);
    if (
      known !== undefined &&
      known.score === score &&
      known.adjusted_score === adjusted_score &&
      known.popular_score === popular_score &&
      known.trending_score === trending_score &&
      known.source_feed === source_feed
    ) {
      return known.text;
    }
    const scores = { score, adjusted_score, popular_score, trending_score };
    const text = JSON.stringify({ item_id, source_feed, ...scores, affinity_score: 0, interest_score: 0 });
    const beginning = { source_feed, ...scores, text: text.slice(0, -1) };
    if (this.kept.size >= KEPT_MAX) this.kept.clear();
    this.kept.set(item_id, beginning);
    return beginning.text;
  }
}

/** It says what only this viewer's page does, or something that few pages do. */
function isOfItsOwn({
  promotion_name,
  affinity_score,
  interest_score,
  metadata,
  explain,
}: AnswerItem): boolean {
  const scored = affinity_score !== 0 || interest_score !== 0;
  return scored || promotion_name !== undefined || metadata !== undefined || explain !== undefined;
}
