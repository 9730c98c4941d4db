import { StartupError } from '../errors.ts';
import type { Member } from '../processes/member.ts';
import type { Lock } from '../store/connection.ts';
import { Overtaken } from '../store/fence.ts';
import { thisProcess } from '../store/holder.ts';
import { type NodeRow, type SeenNode, tablesDiffer } from '../store/postgres/database-lease.ts';
import { hasDatabase, prepareFolder } from '../store/sqlite/connection.ts';
import { lockFolder } from '../store/sqlite/lock.ts';
import type { Lease } from './lease.ts';

/**
 * The lease of the processes of one data folder is the folder's lock, which the operating system releases when its
 * process ends. So it never runs out, and a process that has it leads. The supervisor knows the nodes.
 */
export class FolderLease implements Lease {
  private lock: Lock | undefined;

  /** @param command name of the command, for the error message of another process that wants the data */
  constructor(
    private readonly data: string,
    private readonly command: string,
    private readonly member: Pick<Member, 'nodes'>,
  ) {}

  /**
   * Takes the lock before the data is opened and perhaps upgraded, so this process will lead.
   * @throws StartupError as `lockFolder`
   */
  claim(): void {
    prepareFolder(this.data);
    this.lock = lockFolder(this.data, thisProcess(this.command));
  }

  async take(): Promise<boolean> {
    if (this.lock !== undefined) return true;
    if (this.member.nodes.some(({ leads }) => leads)) return false;
    try {
      this.claim();
      return true;
    } catch (error) {
      if (error instanceof StartupError && error.code === 'data_in_use') return false;
      throw error;
    }
  }

  async renew(): Promise<boolean> {
    return this.lock !== undefined;
  }

  async requireLease(): Promise<void> {
    if (this.lock === undefined) throw new Overtaken('this process has given up the lead');
  }

  async release(): Promise<void> {
    const { lock } = this;
    this.lock = undefined;
    await lock?.release();
  }

  /** The first process opens the data alone. One that is started again may be of a release that was installed since. */
  async changeTables(isDue: () => Promise<boolean>, change: () => Promise<void>): Promise<void> {
    if (!(await this.take()))
      throw tablesDiffer('another process of this service uses', 'stop the service with all its processes');
    if (await isDue()) await change();
  }

  /** The processes of one supervisor have the same settings and plugins, and tell it themselves that they run. */
  async join({ node_id }: NodeRow, check: (others: readonly SeenNode[]) => void): Promise<SeenNode[]> {
    const others = this.member.nodes.filter((node) => node.node_id !== node_id);
    check(others);
    return others;
  }

  async seen(): Promise<boolean> {
    return true;
  }

  async left(): Promise<void> {}

  async nodes(): Promise<SeenNode[]> {
    return this.member.nodes;
  }

  async hasWallets(): Promise<boolean> {
    return hasDatabase(this.data, 'wallets');
  }

  close(): void {
    void this.release();
  }
}
