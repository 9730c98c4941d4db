import type { FeedLearning } from '../feeds/compiled-feed.ts';
import type { SavedFeed } from '../feeds/saved-feed.ts';
import type { SavedFeeds } from '../feeds/saved-feeds.ts';
import type { ExperimentContent, ExperimentVariant } from '../model/experiment-content.ts';
import { experimentId } from '../model/experiment-id.ts';
import { pointOf, variantAt } from '../state/assignment.ts';
import type { State } from '../state/state.ts';

export interface AssignedVariant {
  experiment_id: string;
  /** Of interleaved variants: the first, whose arm all pages have. */
  variant: ExperimentVariant;
  /** The names of both variants if they are interleaved. */
  teams: readonly [string, string] | undefined;
  /** The place of the viewer, see `pointOf`. */
  point: number;
  /** The feeds of the page, with the revisions that are pinned: of the variant, or of both interleaved ones. */
  feeds: readonly { feed_id: string; revision: number }[];
  /** The account whose rights apply to these feeds. */
  account: string;
}

/** What viewers of feeds with running experiments get. */
export class ServedVariants {
  constructor(
    private readonly state: Pick<State, 'experiments'>,
    private readonly saved_feeds: SavedFeeds,
  ) {}

  /**
   * The variant of a viewer under the running experiment of a feed. Undefined if there is none, if the viewer is held
   * out, and if the feed of the variant cannot be built any more: then the viewer gets the feed itself, uncounted.
   */
  variantOf(feed_id: string, viewer_id: string): AssignedVariant | undefined {
    const number = this.state.experiments.runningOn(feed_id);
    const content = number === undefined ? undefined : this.state.experiments.get(number);
    if (number === undefined || content === undefined) return undefined;
    const { variants, pinned, method, account } = content;
    const point = pointOf(content.salt, viewer_id);
    const variant = variantAt(variants, point);
    if (variant === undefined) return undefined;
    const shown = method === 'interleaving' ? variants : [variant];
    if (!shown.every((each) => each.feed_id in pinned && this.isBuildable(each.feed_id, content)))
      return undefined;
    const feeds = shown.map(({ feed_id }) => ({ feed_id, revision: pinned[feed_id] }));
    const teams = method === 'interleaving' ? ([variants[0].name, variants[1].name] as const) : undefined;
    return { experiment_id: experimentId(number), variant, teams, point, feeds, account };
  }

  /**
   * The pinned revisions that the page of a viewer is built from. Undefined if one of them cannot be built any more, or
   * is of another type than the feed is now: then the viewer gets the feed itself, uncounted.
   * @throws ServiceError `store_unavailable`
   */
  async pinnedFeeds(
    { feeds }: AssignedVariant,
    feed_type: SavedFeed['feed_type'],
  ): Promise<SavedFeed[] | undefined> {
    const found = await Promise.all(
      feeds.map(({ feed_id, revision }) => this.saved_feeds.atRevision(feed_id, revision)),
    );
    const buildable = found.flatMap((feed) =>
      feed?.feed_type === feed_type && feed.problem === undefined ? [feed] : [],
    );
    return buildable.length === feeds.length ? buildable : undefined;
  }

  /**
   * What is logged with the pages of a feed because a variant of its running experiment learns: that of the variant with
   * most signals. Undefined if none does.
   * @throws ServiceError `store_unavailable`
   */
  async learningOn(feed_id: string, feed_type: SavedFeed['feed_type']): Promise<FeedLearning | undefined> {
    const number = this.state.experiments.runningOn(feed_id);
    const { pinned = {} } = (number !== undefined && this.state.experiments.get(number)) || {};
    const feeds = await Promise.all(
      Object.entries(pinned).map(([id, revision]) => this.saved_feeds.atRevision(id, revision)),
    );
    return feeds
      .filter((feed) => feed?.feed_type === feed_type && feed.problem === undefined)
      .flatMap((feed) => feed?.compiled(false).learning ?? [])
      .reduce<FeedLearning | undefined>(
        (most, each) => (most && most.signals.length >= each.signals.length ? most : each),
        undefined,
      );
  }

  /** Warnings about a feed that was changed: variants of the account's running experiments go on with a former revision. */
  pinWarnings({ feed_id, revision }: SavedFeed, account: string): string[] {
    return this.state.experiments.all().flatMap(([number, content]) => {
      const { status, pinned, variants } = content;
      if (content.account !== account) return [];
      const pin = pinned[feed_id];
      if (status === 'stopped' || pin === undefined || pin === revision) return [];
      const id = experimentId(number);
      const names = variants.flatMap((variant) => (variant.feed_id === feed_id ? [`'${variant.name}'`] : []));
      const of_variants = `${names.join(' and ')} in the running experiment '${id}'`;
      if (!this.isBuildable(feed_id, content))
        return [
          `the viewers of ${of_variants} get the feed '${content.feed_id}' itself and are not counted now`,
        ];
      return [
        `the viewers of ${of_variants} still get revision ${pin} of this feed; PATCH /api/experiments/${id} with {"repin": true} takes the current one and begins a new period`,
      ];
    });
  }

  /** The running experiment of a feed and its revision, as one text. Undefined if there is none. */
  revisionOn(feed_id: string): string | undefined {
    const number = this.state.experiments.runningOn(feed_id);
    return number === undefined ? undefined : `${number} ${this.state.experiments.get(number)?.revision}`;
  }

  private isBuildable(variant_feed_id: string, { feed_id, account }: ExperimentContent): boolean {
    if (variant_feed_id === feed_id) return true;
    return this.saved_feeds.find(variant_feed_id, account)?.object.status === 'active';
  }
}
