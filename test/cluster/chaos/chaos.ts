import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { monotonicMs, type Random } from '../../../src/clock.ts';
import { type ServiceProcess, startService } from '../../simulation/support/service-process.ts';
import type { ReplicatedServer } from '../../support/postgres/replicated-server.ts';
import { call } from '../processes.ts';
import { until } from '../support.ts';
import { compareNodes, oneOf, Viewer, World, Writer } from './world.ts';

/** What goes wrong. */
export type Fault = 'kill' | 'pause' | 'stop' | 'restart' | 'promote';

export interface ChaosPlan {
  seed: number;
  nodes: number;
  viewers: number;
  writers: number;
  /** Time between two requests of a viewer or writer. */
  pace_ms: number;
  /** Time for which a process is paused. Undefined: until another node leads. */
  pause_ms: number | undefined;
  /** Average time between two faults. */
  calm_ms: number;
  /** Share of the killed, paused and stopped nodes that lead. */
  leader_share: number;
  /** Picks the next fault. Undefined: it was the last one. */
  next(random: Random, figures: ChaosFigures): Fault | undefined;
}

export interface ChaosFigures {
  faults: Record<Fault, number>;
  /** How often another node led than before. */
  fail_overs: number;
  /** The longest time from the end of a fault until all nodes were ready. */
  longest_recovery_ms: number;
}

/** Log lines about errors of the program itself. */
const INTERNAL = /"code":"internal"|an error was not caught/;

/** Time within which all nodes must be ready after a fault. */
const RECOVERY_MS = 120_000;

/**
 * Nodes on one replicated database, with viewers and writers at all of them, while processes are killed, paused and
 * stopped, and the database is restarted and replaced by its standby.
 */
export class Chaos {
  readonly world: World;
  readonly figures: ChaosFigures = {
    faults: { kill: 0, pause: 0, stop: 0, restart: 0, promote: 0 },
    fail_overs: 0,
    longest_recovery_ms: 0,
  };
  private readonly nodes: ServiceProcess[] = [];
  private readonly folders = new Map<ServiceProcess, string>();
  private readonly random: Random;
  private readonly viewers: Viewer[];
  private readonly writers: Writer[];
  private is_over = false;

  constructor(
    private readonly plan: ChaosPlan,
    private readonly database: ReplicatedServer,
    private readonly database_url: string,
    private readonly folder: string,
  ) {
    this.world = new World(plan.seed, () => this.nodes, monotonicMs);
    this.random = this.world.random(0);
    this.viewers = Array.from({ length: plan.viewers }, (_, number) => new Viewer(this.world, number));
    this.writers = Array.from({ length: plan.writers }, (_, number) => new Writer(this.world, number));
  }

  /** Runs the plan to its end, and compares the nodes. The world has the violations. */
  async run(): Promise<void> {
    for (let number = 0; number < this.plan.nodes; number++)
      await this.start(join(this.folder, String(number)));
    let leader = await this.recovered();
    const acting = [...this.viewers, ...this.writers].map((actor) => this.act(actor));
    try {
      for (;;) {
        await Bun.sleep(this.plan.calm_ms * (0.5 + this.random()));
        const fault = this.plan.next(this.random, this.figures);
        if (fault === undefined) break;
        await this.cause(fault, leader);
        this.figures.faults[fault]++;
        const next = await this.recovered();
        if (next !== leader) this.figures.fail_overs++;
        leader = next;
      }
    } finally {
      this.is_over = true;
      await Promise.all(acting);
    }
    await compareNodes(
      this.world,
      this.viewers.map(({ user_id }) => user_id),
    );
    const lines = [...this.folders.keys()].flatMap(({ log }) => log);
    this.world.violations.push(...lines.filter((line) => INTERNAL.test(line)));
  }

  private async act(actor: Viewer | Writer): Promise<void> {
    while (!this.is_over) {
      await actor.step();
      await Bun.sleep(this.plan.pace_ms);
    }
  }

  private async start(folder: string): Promise<void> {
    mkdirSync(folder, { recursive: true });
    const env = {
      FEEDLOOM_DATABASE_URL: this.database_url,
      FEEDLOOM_CLUSTER_SECRET: 'secret-of-the-cluster',
      FEEDLOOM_CHECKPOINT_CHANGES: '2000',
      FEEDLOOM_CHECKPOINT_SECONDS: '5',
    };
    const node = await startService(folder, { env });
    this.folders.set(node, folder);
    this.nodes.push(node);
  }

  private victim(leader: ServiceProcess): ServiceProcess {
    if (this.random() < this.plan.leader_share) return leader;
    return oneOf(
      this.random,
      this.nodes.filter((node) => node !== leader),
    );
  }

  private async cause(fault: Fault, leader: ServiceProcess): Promise<void> {
    if (fault === 'restart') await this.database.restart(this.random() < 0.5 ? 'fast' : 'immediate');
    else if (fault === 'promote') await this.database.losePrimary().then(() => this.database.promote());
    else if (fault === 'pause') await this.pause(this.victim(leader));
    else {
      const victim = this.victim(leader);
      this.nodes.splice(this.nodes.indexOf(victim), 1);
      if (fault === 'kill') await victim.crash();
      else if ((await victim.stop()) !== 0) throw new Error(`a node ended badly:\n${await victim.stderr}`);
      const folder = this.folders.get(victim) ?? '';
      // Sometimes on an empty disk.
      await this.start(this.random() < 0.3 ? join(this.folder, crypto.randomUUID()) : folder);
    }
  }

  private async pause(victim: ServiceProcess): Promise<void> {
    process.kill(victim.pid, 'SIGSTOP');
    try {
      if (this.plan.pause_ms !== undefined) return await Bun.sleep(this.plan.pause_ms);
      const others = this.nodes.filter((node) => node !== victim);
      await until(
        () => Promise.all(others.map(roleIn)),
        (roles) => roles.includes('leader'),
      );
    } finally {
      process.kill(victim.pid, 'SIGCONT');
    }
  }

  /** Waits until all nodes are ready and one of them leads. @returns that one */
  private async recovered(): Promise<ServiceProcess> {
    const start_ms = monotonicMs();
    for (;;) {
      const roles = await Promise.all(this.nodes.map(roleIn));
      const leaders = this.nodes.filter((_, at) => roles[at] === 'leader');
      const took_ms = Math.round(monotonicMs() - start_ms);
      if (!roles.includes(undefined) && leaders.length === 1) {
        this.figures.longest_recovery_ms = Math.max(this.figures.longest_recovery_ms, took_ms);
        return leaders[0];
      }
      if (took_ms > RECOVERY_MS) {
        const logs = this.nodes.map(({ log }) => log.slice(-20).join('\n'));
        throw new Error(`the nodes did not recover; their roles are ${roles}:\n${logs.join('\n\n')}`);
      }
      await Bun.sleep(100);
    }
  }
}

/** The role of a node that is ready. */
async function roleIn(node: ServiceProcess): Promise<string | undefined> {
  const answer = await call(node, 'GET', '/readyz');
  return answer?.status === 200 ? answer.body.role : undefined;
}

/** The same faults, in an order that the seed decides. */
export function shuffled(random: Random, faults: readonly Fault[]): Fault[] {
  const order = new Map(faults.map((fault) => [fault, random()]));
  return faults.toSorted((one, other) => (order.get(one) ?? 0) - (order.get(other) ?? 0));
}
