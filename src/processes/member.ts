import { StartupError } from '../errors.ts';
import type { NodeRow, SeenNode } from '../store/postgres/database-lease.ts';
import { MEMBER_VARIABLE, type Membership, type News, type Report, type SeenProcess } from './messages.ts';

interface Link {
  send(report: Report): void;
  onNews(hear: (news: News) => void): void;
}

/** This process as one of several that a supervisor started. */
export class Member {
  private news: News = { processes: [], log_lines_lost: 0, draining: false };
  private own: SeenNode | undefined;
  private opens_first: boolean;
  /** Called when a process has begun or ceased to be a node or to lead. */
  onChange: () => void = () => {};

  constructor(
    readonly membership: Membership,
    private readonly link: Link,
  ) {
    this.opens_first = membership.first;
    link.onNews((news) => {
      const former = this.outline();
      this.news = news;
      if (this.outline() !== former) this.onChange();
    });
  }

  takeFirst(): boolean {
    const is_first = this.opens_first;
    this.opens_first = false;
    return is_first;
  }

  /** All processes, this one included, as they were seen last. */
  get processes(): readonly SeenProcess[] {
    const { process } = this.membership;
    return this.news.processes.map((seen) => (seen.process === process ? { ...seen, node: this.own } : seen));
  }

  /** The nodes that the processes are, this one included. */
  get nodes(): SeenNode[] {
    return this.processes.flatMap(({ node }) => node ?? []);
  }

  /** Log lines that the supervisor could not write. */
  get log_lines_lost(): number {
    return this.news.log_lines_lost;
  }

  /** Whether the processes stop soon, so that no further requests should be sent to them. */
  get draining(): boolean {
    return this.news.draining;
  }

  /** Makes this node known to the other processes. */
  announce(node: NodeRow, leads: boolean): void {
    this.own = { ...node, leads, silent_seconds: 0 };
    this.link.send({ type: 'node', node, leads });
  }

  /** This process is no node any more. */
  leave(): void {
    this.own = undefined;
    this.link.send({ type: 'left' });
  }

  /** The state is loaded, and requests are served. */
  serves(address: string, ports: Membership['ports'] & {}): void {
    this.link.send({ type: 'serves', address, ports });
  }

  /** Changes exactly when `onChange` must be called. */
  private outline(): string {
    return JSON.stringify(this.nodes.map(({ node_id, leads }) => [node_id, leads]));
  }
}

/**
 * This process as one that a supervisor started; undefined if it was started alone. Takes the variable out of the
 * environment, so that the processes that this one starts do not have it.
 * @throws StartupError `bad_setting` if the variable was set by hand
 */
export function memberOf(env: Record<string, string | undefined>): Member | undefined {
  const { [MEMBER_VARIABLE]: text } = env;
  if (text === undefined) return undefined;
  delete env[MEMBER_VARIABLE];
  if (process.send === undefined) {
    const what = `${MEMBER_VARIABLE} is set, which only the service itself does`;
    throw new StartupError('bad_setting', what, 'unset it; to run several processes use --processes');
  }
  // The supervisor is gone. Its sockets and its log are gone with it.
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  return new Member(JSON.parse(text) as Membership, {
    send: (report) => {
      if (process.connected) process.send?.(report);
    },
    onNews: (hear) => void process.on('message', (message) => hear(message as News)),
  });
}
