import { rootReasonOf, StartupError } from '../errors.ts';
import type { CommunityName } from '../store/connection.ts';
import { type Claim, LEASE_SECONDS, type Lease, type SeenNode } from '../store/postgres/database-lease.ts';
import { CheckpointTransfer } from './checkpoint-transfer.ts';
import { requireSame } from './facts.ts';
import { followersReached } from './followers-reached.ts';
import { HandOver, LEAVING_PATH } from './hand-over.ts';
import { LeaderClient, leaderless } from './leader-client.ts';
import { LONG_AGO, Moments } from './moments.ts';
import type { Member, NodeOptions } from './node-options.ts';
import { requireOwnAddress } from './own-address.ts';
import { Replica, type ReplicaOptions } from './replica.ts';

type Role = 'leader' | 'follower';

/** Seconds between renewals of the lease, and between checks of it. */
const RENEW_SECONDS = 2;
const REFRESH_SECONDS = 1;
/** How long a leader that leaves waits for the other nodes to send nothing more. */
const LEAVING_MS = 1_000;
/** A leader trusts its lease for this time after it asked for it. Shorter than the lease, as clocks may differ a little. */
const TRUSTED_MS = (LEASE_SECONDS - 1) * 1_000;

interface Followed {
  member: Member;
  replica: Replica;
}

/**
 * This process as a node of a cluster: it leads while it has the lease, and follows otherwise.
 *
 * A node that leads never follows again. When it has lost the lease, its state may differ from the log, so it is loaded
 * again, by another instance (`onLost`).
 */
export class ClusterNode {
  private claim: Claim | undefined;
  private readonly moments: Moments;
  /** When the lease was last asked for with success. */
  private leased = LONG_AGO;
  /** Whether the state is loaded, so that this node may lead. */
  private is_loaded = false;
  private readonly communities = new Map<CommunityName, Followed>();
  private leads_communities = false;
  private taking: Promise<void> | undefined;
  private seen: readonly SeenNode[] = [];
  private lost: string | undefined;
  private stopped = false;
  /** Whether this node stops soon and takes no lead. */
  private retiring = false;
  /** Whether the lease and the row of this node were given up. */
  private has_left = false;
  readonly hand_over: HandOver;
  private behind = false;
  private round: Promise<void> = Promise.resolve();
  private cancel = (): void => {};
  private promote: (() => void)[] = [];
  private lose: (reason: string) => void = () => {};
  checkWallets: () => Promise<void> = async () => {};
  /** Number of times that this node took the lease over from another one. */
  took_over = 0;
  readonly to_leader: LeaderClient;
  readonly checkpoints: CheckpointTransfer;

  constructor(private readonly options: NodeOptions) {
    this.hand_over = new HandOver(options.timers);
    const leader = () => (this.role === 'leader' ? options.node : this.leader);
    this.to_leader = new LeaderClient(options.secret, leader, this.hand_over);
    this.moments = new Moments(options.monotonicMs, options.clock);
    this.checkpoints = new CheckpointTransfer(this.to_leader, options.log);
  }

  get node_id(): string {
    return this.options.node.node_id;
  }

  get role(): Role {
    return this.leads_communities ? 'leader' : 'follower';
  }

  /** Whether other nodes may wait for this one to give up the lead. */
  get leads_others(): boolean {
    return this.role === 'leader' && this.lost === undefined && this.has_peers;
  }

  /** Whether the state must be loaded again. */
  get is_lost(): boolean {
    return this.lost !== undefined;
  }

  /** The nodes that were seen lately, this one included. */
  get nodes(): readonly SeenNode[] {
    return this.seen;
  }

  /** The node that leads, if another one does. */
  get leader(): SeenNode | undefined {
    return this.seen.find(({ node_id, leads }) => leads && node_id !== this.node_id);
  }

  get applied_seq(): number {
    const content = this.communities.get('content');
    if (content === undefined) return 0;
    return this.role === 'leader' ? content.member.state.seq : content.replica.applied_seq;
  }

  /** Seconds by which pages of this node may be outdated. */
  get lag_seconds(): number {
    if (this.role === 'leader') return this.trusts_lease ? 0 : this.moments.since(this.leased) / 1_000;
    const content = this.communities.get('content');
    return (this.options.monotonicMs() - (content?.replica.read_ms ?? 0)) / 1_000;
  }

  /** Whether no other node can have taken the lease. */
  private get trusts_lease(): boolean {
    return this.moments.since(this.leased) < TRUSTED_MS;
  }

  /** Joins the nodes that run. From now on they see this one. @throws StartupError */
  async join(): Promise<void> {
    await this.enter();
    await requireOwnAddress(this.options);
    this.refreshLater();
  }

  private async enter(): Promise<void> {
    const { lease, node } = this.options;
    this.seen = await lease.join({ ...node, applied_seq: this.applied_seq }, (others) =>
      requireSame(node.facts, others),
    );
  }

  /**
   * Adds a community, whose state is loaded. If this node leads already, the community begins to write.
   * @param loaded the last change in its state, and `LogHead.purged_seq` before it was loaded
   */
  async add(
    name: CommunityName,
    member: Member,
    loaded: Pick<ReplicaOptions, 'applied_seq' | 'purged_seq'>,
  ): Promise<void> {
    const { log } = member.store;
    if (log === undefined) throw new Error('only a shared store can be followed');
    const { timers, monotonicMs } = this.options;
    const onLost = (reason: string) => this.fail(reason);
    const replica = new Replica({ ...loaded, community: member, log, timers, monotonicMs, onLost });
    this.communities.set(name, { member, replica });
    if (this.leads_communities) await this.leadCommunity(name);
    else replica.begin();
  }

  /** The state is loaded: takes the lease if it is free, then renews or watches it until `stop`. */
  async begin(): Promise<void> {
    this.is_loaded = true;
    await this.refreshOnce();
    await this.taking;
  }

  /** Calls back when this node leads: at once if it does. */
  onLead(begin: () => void): void {
    if (this.role === 'leader') begin();
    else this.promote.push(begin);
  }

  /** Calls back, at most once, when this node's state must be loaded again. */
  onLost(reload: (reason: string) => void): void {
    this.lose = reload;
    if (this.lost !== undefined) reload(this.lost);
  }

  /**
   * Resolves when a community has every change that any node acknowledged before the call.
   * @throws ServiceError `store_unavailable`; the reason of `given_up`
   */
  async current(name: CommunityName, given_up?: AbortSignal): Promise<void> {
    if (this.lost !== undefined) throw leaderless();
    if (this.role === 'follower') {
      const followed = this.communities.get(name);
      try {
        await followed?.replica.caughtUp(given_up);
      } catch (error) {
        await this.taken(given_up);
        // A node that has begun to lead meanwhile has read everything.
        if (this.role === 'follower') throw error;
      }
      return;
    }
    if (this.trusts_lease) return;
    // The process or machine was paused, or the database is gone. Another node may have written since.
    await this.refreshOnce();
    if (!this.trusts_lease) throw leaderless();
  }

  /** Resolves when this node has everything that is stored now in the communities that it has. */
  async caughtUp(): Promise<void> {
    await Promise.all([...this.communities.keys()].map((name) => this.current(name)));
  }

  /** Whether other nodes were seen lately. */
  get has_peers(): boolean {
    return this.seen.some(({ node_id }) => node_id !== this.node_id);
  }

  /**
   * Resolves when the other nodes have applied the content up to `seq`, or after some seconds. Rows that they have not
   * read yet can then be purged without making them load their state again.
   * @throws Error if the database does not tell how far they are; then nothing must be purged
   */
  followersReached(seq: number): Promise<void> {
    return followersReached(this.options, this.node_id, seq);
  }

  replicaOf(name: CommunityName): Replica | undefined {
    return this.role === 'leader' ? undefined : this.communities.get(name)?.replica;
  }

  /** Whether wallets are stored, by any node. */
  hasWallets(): Promise<boolean> {
    return this.options.lease.hasWallets();
  }

  /** Whether this node has the lease and is about to lead. */
  get is_taking(): boolean {
    return this.claim !== undefined && this.role === 'follower';
  }

  /** If this node takes the lead, resolves when it leads. @throws as `HandOver.ended` */
  async taken(given_up: AbortSignal | undefined): Promise<void> {
    if (this.is_taking) await this.hand_over.ended(given_up);
  }

  /**
   * This node stops soon: it takes no lead. If it leads, the other nodes keep their requests for the next leader.
   * Resolves when the ones that they have sent are answered, or after a second.
   */
  async retire(): Promise<void> {
    this.retiring = true;
    if (this.role === 'follower' || this.lost !== undefined) return;
    // A node may have joined since the last check.
    this.seen = await this.options.lease.nodes().catch(() => this.seen);
    const { node_id, to_leader } = this;
    const others = this.seen.filter((node) => node.node_id !== node_id);
    await Promise.all(others.map((node) => to_leader.post(node, LEAVING_PATH, { node_id }, LEAVING_MS)));
  }

  /** The leader is about to leave. Resolves when every request that was sent to it is answered. */
  async leaderLeaves(node_id: string): Promise<void> {
    if (this.claim !== undefined || this.leader?.node_id !== node_id) return;
    this.hand_over.expect(node_id, () => this.refreshOnce());
    await this.to_leader.answered();
  }

  /** Stops renewing the lease. The communities still write until their stores close; then call `leave`. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.cancel();
    this.hand_over.end();
    await this.round;
    await this.taking?.catch(() => {});
    for (const { replica } of this.communities.values()) await replica.stop();
  }

  /** Gives up the lease and the row of this node. */
  async leave(): Promise<void> {
    if (this.has_left) return;
    this.has_left = true;
    // Requests that are still under way must not rely on this state.
    this.leased = LONG_AGO;
    const { lease } = this.options;
    try {
      if (this.claim !== undefined) await lease.release(this.claim);
      await lease.left(this.node_id);
    } catch (error) {
      this.options.log.warn(
        { cause: rootReasonOf(error) },
        'the lease could not be given up; it runs out by itself',
      );
    } finally {
      lease.close();
    }
  }

  /** One at a time. */
  private refreshOnce(): Promise<void> {
    this.round = this.round.then(() => this.refresh());
    return this.round;
  }

  private refreshLater(): void {
    if (this.stopped) return;
    const seconds = this.claim === undefined ? REFRESH_SECONDS : RENEW_SECONDS;
    this.cancel = this.options.timers.after(seconds, () => {
      this.refreshOnce().finally(() => this.refreshLater());
    });
  }

  private async refresh(): Promise<void> {
    const { lease, log } = this.options;
    if (this.stopped || this.lost !== undefined) return;
    try {
      if (this.claim !== undefined) await this.renew(this.claim);
      // Other nodes count this one as stopped, and nodes that differ may have started.
      if (!(await lease.seen(this.node_id, this.applied_seq))) await this.enter();
      if (this.claim === undefined && this.is_loaded) await this.takeIfFree();
      this.seen = await lease.nodes();
      if (this.claim === undefined) this.hand_over.seen(this.leader);
      if (this.claim === undefined && this.is_loaded) await this.checkWallets();
      this.behind = false;
    } catch (error) {
      const is_refused = error instanceof StartupError && error.code !== 'database_unreachable';
      if (is_refused) this.fail(error.message);
      else if (!this.behind)
        log.warn({ cause: rootReasonOf(error) }, 'the database of the cluster does not answer');
      this.behind = true;
    }
  }

  private async renew(claim: Claim): Promise<void> {
    const asked = this.moments.now();
    if (await this.options.lease.renew(claim)) this.leased = asked;
    else this.fail('another node has taken the lead');
  }

  private async takeIfFree(): Promise<void> {
    if (this.retiring) return;
    const { lease, log } = this.options;
    const claim = { node_id: this.node_id, fence: crypto.randomUUID() };
    const asked = this.moments.now();
    if (!(await lease.take(claim))) return;
    this.claim = claim;
    this.leased = asked;
    this.hand_over.begin();
    const former = this.leader;
    if (former !== undefined) this.took_over++;
    // Not awaited: the lease is renewed meanwhile.
    this.taking = this.lead().then(
      () => log.info({ node_id: this.node_id }, 'this node leads'),
      (error) => this.fail(`it could not take the lead (${rootReasonOf(error)})`),
    );
  }

  private async lead(): Promise<void> {
    for (const name of this.communities.keys()) await this.leadCommunity(name);
    this.leads_communities = true;
    this.hand_over.end();
    for (const begin of this.promote.splice(0)) begin();
  }

  private async leadCommunity(name: CommunityName): Promise<void> {
    const { claim, options } = this;
    const followed = this.communities.get(name);
    if (claim === undefined || followed === undefined) return;
    // The lease is in the tables of content, which are taken over first.
    const mayTake =
      name === 'content' ? (requires: Requires) => options.lease.requireLease(requires, claim) : undefined;
    await followed.replica.lead({ fence: claim.fence, mayTake });
    await followed.member.beginWriting();
  }

  /** Makes this node unusable: its state must be loaded again, see `onLost`. */
  fail(reason: string): void {
    if (this.lost !== undefined || this.stopped) return;
    this.lost = reason;
    this.hand_over.end();
    this.options.log.warn({ reason }, 'this node loads its state again and follows');
    this.lose(reason);
  }
}

type Requires = Parameters<Lease['requireLease']>[0];
