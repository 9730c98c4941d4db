import type { SourcedItem } from '../pipeline/mixing.ts';
import type { Request } from '../pipeline/request.ts';
import type { Ordinal } from '../plugin/index.ts';
import type { State } from '../state/state.ts';
import { JsonBytes, type JsonText, type Piece, pieceOf } from './json-bytes.ts';
import type { FollowedActsReader } from './social-proof.ts';

/** Items whose texts are kept: some pages' worth. */
const KEPT_MAX = 4096;

const TEXT = {
  start: pieceOf('{"status_code":200,"body":['),
  length: pieceOf('"text_length":'),
  next: pieceOf('},'),
  last: pieceOf('}'),
  end: pieceOf(']}'),
};

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
 * Answers with trending and popular pages as JSON text (UTF-8), byte by byte what `JSON.stringify` makes of `draftAnswer`,
 * without the hundred objects in between: the same items stand on one page after another, with scores that are the
 * same for everybody, so most of the text is there already.
 */
export class PageText {
  private readonly out = new JsonBytes();
  private readonly kept = new Map<Ordinal, Beginning>();
  /** Kept so that no compiler leaves the reading out. */
  read_ahead = 0;

  constructor(private readonly state: State) {
    // Ordinals will be given to other items.
    state.recycler.watch(() => this.kept.clear());
  }

  /** The body of the answer. Synchronous, with the page: they see the same state. */
  of(
    request: Request,
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
    const { out } = this;
    out.begin();
    out.put(TEXT.start);
    for (let place = 0; place < page.length; place++) {
      const sourced = page[place];
      const { item } = sourced;
      if (place > 0) out.put(TEXT.next);
      out.put(this.beginning(sourced, popular(item), trending(item)));
      acts.write(place, out);
      out.put(TEXT.length);
      out.integer(items.text_length(item));
    }
    if (page.length > 0) out.put(TEXT.last);
    out.put(warnings.length === 0 ? TEXT.end : pieceOf(`],"warnings":${JSON.stringify(warnings)}}`));
    return out.take();
  }

  /** Everything before what followed users did. */
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
