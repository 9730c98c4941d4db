import type { SourcedItem } from '../pipeline/mixing.ts';
import type { Request } from '../pipeline/request.ts';
import type { FeedType, Ordinal } from '../plugin/index.ts';
import type { State } from '../state/state.ts';
import { JsonBytes, type JsonText, type Piece, pieceOf } from './json-bytes.ts';
import type { FollowedActsReader } from './social-proof.ts';

/** Items whose texts are kept: some pages' worth. */
const KEPT_MAX = 4096;

const TEXT = {
  start: pieceOf('{"status_code":200,"body":['),
  item_id: pieceOf('{"item_id":'),
  adjusted_score: pieceOf(',"adjusted_score":'),
  popular_score: pieceOf(',"popular_score":'),
  trending_score: pieceOf(',"trending_score":'),
  affinity_score: pieceOf(',"affinity_score":'),
  interest_score: pieceOf(',"interest_score":'),
  length: pieceOf('"text_length":'),
  next: pieceOf('},'),
  last: pieceOf('}'),
  end: pieceOf(']}'),
};

const none = () => 0;

/** The beginning of an item's text, up to its social proof, and what it says. */
interface Beginning {
  source_feed: string;
  promotion_name: string | undefined;
  score: number;
  adjusted_score: number;
  popular_score: number;
  trending_score: number;
  piece: Piece;
}

/**
 * Answers with pages as JSON text (UTF-8), byte by byte what `JSON.stringify` makes of `draftAnswer`, without the
 * hundred objects in between. The same items stand on one trending or popular page after another, with scores that are
 * the same for everybody, so most of their text is there already.
 */
export class PageText {
  private readonly out = new JsonBytes();
  private readonly kept = new Map<Ordinal, Beginning>();
  /** Where the item before came from: the others of its page mostly do, too. */
  private source = { source_feed: '', promotion_name: undefined as string | undefined, piece: pieceOf('') };
  /** Kept so that no compiler leaves the reading out. */
  read_ahead = 0;

  constructor(private readonly state: State) {
    // Ordinals will be given to other items.
    state.recycler.watch(() => this.kept.clear());
  }

  /** The body of the answer. Synchronous, with the page: they see the same state. */
  of(
    request: Request,
    feed_type: FeedType,
    page: readonly SourcedItem[],
    followed: FollowedActsReader,
    warnings: readonly string[],
  ): JsonText {
    const { items } = this.state;
    const acts = followed.read(
      request.viewer,
      page.map(({ item }) => item),
      request.engine.scratch,
    );
    this.read_ahead = acts.readAhead(page.length);
    const popular = request.signal('popular');
    const trending = request.signal('trending');
    const of_viewer = feed_type === 'for-you';
    const affinity = of_viewer ? request.signal('affinity_all') : none;
    const interest = of_viewer ? request.signal('interest_all') : none;
    const { out } = this;
    out.begin();
    out.put(TEXT.start);
    for (let place = 0; place < page.length; place++) {
      const sourced = page[place];
      const { item } = sourced;
      if (place > 0) out.put(TEXT.next);
      if (of_viewer) this.writeOwn(sourced, popular(item), trending(item), affinity(item), interest(item));
      else out.put(this.beginning(sourced, popular(item), trending(item)));
      acts.write(place, out);
      out.put(TEXT.length);
      out.integer(items.text_length(item));
    }
    if (page.length > 0) out.put(TEXT.last);
    out.put(warnings.length === 0 ? TEXT.end : pieceOf(`],"warnings":${JSON.stringify(warnings)}}`));
    return out.take();
  }

  /** Everything before what followed users did, where all of it is the viewer's. */
  private writeOwn(
    { item, source_feed, promotion_name, score, adjusted_score }: SourcedItem,
    popular_score: number,
    trending_score: number,
    affinity_score: number,
    interest_score: number,
  ): void {
    const { out } = this;
    out.put(TEXT.item_id);
    out.name(this.state.items.names, item);
    out.put(this.sourceOf(source_feed, promotion_name));
    out.number(score);
    out.put(TEXT.adjusted_score);
    out.number(adjusted_score);
    out.put(TEXT.popular_score);
    out.number(popular_score);
    out.put(TEXT.trending_score);
    out.number(trending_score);
    out.put(TEXT.affinity_score);
    out.number(affinity_score);
    out.put(TEXT.interest_score);
    out.number(interest_score);
  }

  /** Between the identifier and the score. */
  private sourceOf(source_feed: string, promotion_name: string | undefined): Piece {
    const { source } = this;
    if (source.source_feed !== source_feed || source.promotion_name !== promotion_name) {
      const text = JSON.stringify({ source_feed, promotion_name });
      this.source = { source_feed, promotion_name, piece: pieceOf(`,${text.slice(1, -1)},"score":`) };
    }
    return this.source.piece;
  }

  /** The same where it is the same for everybody. */
  private beginning(sourced: SourcedItem, popular_score: number, trending_score: number): Piece {
    const { item, source_feed, promotion_name, score, adjusted_score } = sourced;
    const known = this.kept.get(item);
    if (
      known !== undefined &&
      known.score === score &&
      known.adjusted_score === adjusted_score &&
      known.popular_score === popular_score &&
      known.trending_score === trending_score &&
      known.source_feed === source_feed &&
      known.promotion_name === promotion_name
    ) {
      return known.piece;
    }
    const item_id = this.state.items.names.id(item);
    const scores = { score, adjusted_score, popular_score, trending_score };
    const none = { affinity_score: 0, interest_score: 0 };
    const whole = JSON.stringify({ item_id, source_feed, promotion_name, ...scores, ...none });
    const piece = pieceOf(whole.slice(0, -1));
    if (this.kept.size >= KEPT_MAX) this.kept.clear();
    this.kept.set(item, { source_feed, promotion_name, ...scores, piece });
    return piece;
  }
}
