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
  score: pieceOf(',"score":'),
  adjusted: pieceOf(',"adjusted_score":'),
  affinity: pieceOf(',"affinity_score":'),
  interest: pieceOf(',"interest_score":'),
  length: pieceOf('"text_length":'),
  next: pieceOf('},'),
  last: pieceOf('}'),
  end: pieceOf(']}'),
};

/** What an item is and where it comes from, … */
interface Origin {
  source_feed: string;
  promotion_name: string | undefined;
}

/** … and, of trending and popular pages, all that is said before what followed users did. */
interface Beginning extends Origin {
  score: number;
  adjusted_score: number;
  popular_score: number;
  trending_score: number;
  piece: Piece;
}

/** Of for-you pages what is the same for everybody: the rest is the viewer's. */
interface Common extends Origin {
  popular_score: number;
  trending_score: number;
  origin: Piece;
  rates: Piece;
}

/**
 * Answers as JSON text (UTF-8), byte by byte what `JSON.stringify` makes of `draftAnswer`, without the hundred objects in
 * between: the same items stand on one page after another, so much of the text is there already.
 */
export class PageText {
  private readonly out = new JsonBytes();
  private readonly beginnings = new Map<Ordinal, Beginning>();
  private readonly commons = new Map<Ordinal, Common>();
  /** Kept so that no compiler leaves the reading out. */
  read_ahead = 0;

  constructor(private readonly state: State) {
    // Ordinals will be given to other items.
    state.recycler.watch(() => {
      this.beginnings.clear();
      this.commons.clear();
    });
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
    const begin = feed_type === 'for-you' ? this.personal(request) : this.shared(request);
    const { out } = this;
    out.begin();
    out.put(TEXT.start);
    for (let place = 0; place < page.length; place++) {
      const sourced = page[place];
      if (place > 0) out.put(TEXT.next);
      begin(sourced);
      acts.write(place, out);
      out.put(TEXT.length);
      out.integer(items.text_length(sourced.item));
    }
    if (page.length > 0) out.put(TEXT.last);
    out.put(warnings.length === 0 ? TEXT.end : pieceOf(`],"warnings":${JSON.stringify(warnings)}}`));
    return out.take();
  }

  /** Writes the beginnings of items whose scores are the viewer's. */
  private personal(request: Request): (sourced: SourcedItem) => void {
    const popular = request.signal('popular');
    const trending = request.signal('trending');
    const affinity = request.signal('affinity_all');
    const interest = request.signal('interest_all');
    const { out } = this;
    return (sourced) => {
      const { item } = sourced;
      const common = this.common(sourced, popular(item), trending(item));
      out.put(common.origin);
      out.put(TEXT.score);
      out.number(sourced.score);
      out.put(TEXT.adjusted);
      out.number(sourced.adjusted_score);
      out.put(common.rates);
      out.put(TEXT.affinity);
      out.number(affinity(item));
      out.put(TEXT.interest);
      out.number(interest(item));
    };
  }

  private common(sourced: SourcedItem, popular_score: number, trending_score: number): Common {
    const { item, source_feed, promotion_name } = sourced;
    const known = this.commons.get(item);
    if (
      known !== undefined &&
      known.popular_score === popular_score &&
      known.trending_score === trending_score &&
      known.source_feed === source_feed &&
      known.promotion_name === promotion_name
    ) {
      return known;
    }
    const item_id = this.state.items.names.id(item);
    const origin = pieceOf(JSON.stringify({ item_id, source_feed, promotion_name }).slice(0, -1));
    const rates = pieceOf(`,${JSON.stringify({ popular_score, trending_score }).slice(1, -1)}`);
    const common = { source_feed, promotion_name, popular_score, trending_score, origin, rates };
    keep(this.commons, item, common);
    return common;
  }

  /** Writes the beginnings of items whose scores are the same for everybody. */
  private shared(request: Request): (sourced: SourcedItem) => void {
    const popular = request.signal('popular');
    const trending = request.signal('trending');
    return (sourced) => this.out.put(this.beginning(sourced, popular(sourced.item), trending(sourced.item)));
  }

  private beginning(sourced: SourcedItem, popular_score: number, trending_score: number): Piece {
    const { item, source_feed, promotion_name, score, adjusted_score } = sourced;
    const known = this.beginnings.get(item);
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
    keep(this.beginnings, item, { source_feed, promotion_name, ...scores, piece });
    return piece;
  }
}

function keep<T>(kept: Map<Ordinal, T>, item: Ordinal, text: T): void {
  if (kept.size >= KEPT_MAX) kept.clear();
  kept.set(item, text);
}
