import { spawn } from 'node:child_process';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SQL } from 'bun';
import { until } from '../cluster/support.ts';
import { blocksOf, document } from '../docs/markdown.ts';
import { ON_DISK } from '../support/memory.ts';
import { oncePerRun } from '../support/once-per-run.ts';
import { type Account, giveTo, serverAccount } from '../support/postgres/account.ts';
import { replaced } from './proxy.ts';
import { deployText, isInstalled } from './support.ts';

/** The files of `deploy/patroni/` on one machine: three members, each with etcd and PostgreSQL, and proxies before them. */

const MEMBERS = [1, 2, 3];
const PASSWORD = 'of-the-test';
/** Each member has addresses of its own, as in the files, so that all ports are those of the files. */
const NETWORK = '192.0.2.';

const [newest] = globSync('/usr/lib/postgresql/*/bin/pg_rewind').sort((a, b) =>
  b.localeCompare(a, 'en', { numeric: true }),
);
/** Debian packages that are missing. */
export const MISSING = Object.entries({
  'etcd-server': isInstalled('etcd'),
  patroni: isInstalled('patroni'),
  haproxy: isInstalled('haproxy') || existsSync('/usr/sbin/haproxy'),
  postgresql: newest !== undefined,
}).flatMap(([name, is_installed]) => (is_installed ? [] : [name]));

/** Ends what is left of the cluster. */
const STOP = `
  cd "$(dirname "$0")"
  for file in *.pid; do kill -KILL "$(cat "$file")"; done
  for file in data-*/postmaster.pid; do kill -QUIT "$(head -n 1 "$file")"; done
`;

/** The variables of a file for systemd. */
function variablesOf(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]));
}

interface Place {
  account: Account | undefined;
  folder: string;
  /** What the addresses begin with. */
  network: string;
}

/** The text of a file for a member. Lists of all members stay as they are. */
function fileOf(member: number, path: string, network: string): string {
  const own = deployText(path).replace(/^.*$/gm, (line) =>
    line.includes(',')
      ? line
      : line.replace('db1', `db${member}`).replace('192.0.2.11', `192.0.2.1${member}`),
  );
  return replaced(own, [[NETWORK, network]]);
}

/** Starts a program of the cluster, which goes on without this process. */
function begin(
  { account, folder }: Place,
  name: string,
  command: string[],
  env: Record<string, string> = {},
) {
  const script = `echo $$ > ${name}.pid; exec "$@" > ${name}.log 2>&1`;
  spawn('sh', ['-c', script, 'sh', ...command], {
    ...account,
    cwd: folder,
    env: { PATH: `/usr/sbin:${process.env.PATH}`, LC_ALL: 'C.UTF-8', ...env },
    detached: true,
    stdio: 'ignore',
  }).unref();
}

function beginMember(place: Place, member: number): void {
  const { folder, network } = place;
  begin(place, `etcd-${member}`, ['etcd'], {
    ...variablesOf(fileOf(member, 'patroni/etcd.env', network)),
    ETCD_DATA_DIR: join(folder, `etcd-${member}`),
  });
  begin(place, `patroni-${member}`, ['patroni', 'patroni.yml'], {
    ...variablesOf(fileOf(member, 'patroni/patroni.env', network)),
    PATRONI_POSTGRESQL_DATA_DIR: join(folder, `data-${member}`),
    PATRONI_POSTGRESQL_PGPASS: join(folder, `pgpass-${member}`),
    PATRONI_POSTGRESQL_BIN_DIR: dirname(newest),
    PATRONI_SUPERUSER_PASSWORD: PASSWORD,
    PATRONI_REPLICATION_PASSWORD: PASSWORD,
    PATRONI_RESTAPI_PASSWORD: PASSWORD,
  });
  const proxy = deployText('patroni/haproxy.cfg').replace(/^ +(user|group|chroot|log) .*\n/gm, '');
  const places: [string, string][] = [
    ['127.0.0.1:5000', `${NETWORK}2${member}:5000`],
    [NETWORK, network],
  ];
  writeFileSync(join(folder, `haproxy-${member}.cfg`), replaced(proxy, places));
  begin(place, `haproxy-${member}`, ['haproxy', '-f', `haproxy-${member}.cfg`]);
}

function make(folder: string): Omit<Place, 'account'> {
  const account = serverAccount();
  giveTo(account, folder);
  const random = () => 1 + Math.floor(Math.random() * 250);
  const place = { account, folder, network: `127.${random()}.${random()}.` };
  // PostgreSQL's socket is in a folder that every server can use.
  const shared = replaced(deployText('patroni/patroni.yml'), [[NETWORK, place.network]]);
  const settings = `${shared}  parameters:\n    unix_socket_directories: ""\n`;
  writeFileSync(join(folder, 'patroni.yml'), settings);
  writeFileSync(join(folder, 'stop'), STOP);
  for (const member of MEMBERS) beginMember(place, member);
  return { folder, network: place.network };
}

/** A member as Patroni's API shows it. */
interface Member {
  name: string;
  role: string;
  state: string;
}

/** A PostgreSQL database that Patroni keeps available: `await PatroniCluster.start()`. It ends with the test run. */
export class PatroniCluster {
  private constructor(private readonly place: Place) {}

  /** Resolves when the primary has a synchronous standby, and the database of the README exists. */
  static async start(): Promise<PatroniCluster> {
    const account = serverAccount();
    const cluster = new PatroniCluster({ account, ...oncePerRun('patroni', ON_DISK, make) });
    await cluster.settled(MEMBERS.length);
    const [creation] = blocksOf(document('deploy/patroni/README.md')).filter(({ kind }) => kind === 'sql');
    const statements = replaced(creation.text, [['…', PASSWORD]])
      .trim()
      .split('\n');
    for (const statement of statements) await until(() => cluster.execute(statement), Boolean);
    return cluster;
  }

  /** The database's URL for a node, through a proxy of its own. */
  urlFor(node: number): string {
    return `postgres://feedloom:${PASSWORD}@${this.place.network}2${node}:5000/feedloom`;
  }

  /**
   * Resolves with the primary's number when so many members run, one of them as a synchronous standby.
   * @param former which was the primary and must not be it any more
   */
  async settled(members: number, former = 0): Promise<number> {
    const found = await until(
      () => this.members(),
      (list) =>
        list.filter(({ state }) => state === 'running' || state === 'streaming').length === members &&
        list.some(({ role }) => role === 'sync_standby') &&
        list.some(({ role, name }) => role === 'leader' && name !== `db${former}`),
    );
    const primary = found.find(({ role }) => role === 'leader');
    return Number(primary?.name.slice(2));
  }

  private async members(): Promise<Member[]> {
    for (const member of MEMBERS) {
      const url = `http://${this.place.network}1${member}:8008/cluster`;
      const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
      if (answer?.ok) return ((await answer.json()) as { members: Member[] }).members;
    }
    return [];
  }

  /** Kills a machine: PostgreSQL with all of its processes, Patroni and etcd (SIGKILL). */
  killMachine(member: number): void {
    for (const name of ['patroni', 'etcd']) process.kill(this.pidIn(`${name}-${member}.pid`), 'SIGKILL');
    this.killPostgres(member);
  }

  /** Kills PostgreSQL with all of its processes (SIGKILL). */
  killPostgres(member: number): void {
    const postmaster = this.pidIn(`data-${member}/postmaster.pid`);
    const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8');
    for (const pid of [String(postmaster), ...children.trim().split(' ')])
      process.kill(Number(pid), 'SIGKILL');
  }

  private pidIn(file: string): number {
    return Number(readFileSync(join(this.place.folder, file), 'utf8').split('\n')[0]);
  }

  /** Executes a statement as the superuser, through a proxy. @returns whether the primary was reached */
  private async execute(statement: string): Promise<boolean> {
    const url = `postgres://postgres:${PASSWORD}@${this.place.network}21:5000/postgres`;
    await using client = new SQL({ url, max: 1 });
    return client.unsafe(statement).then(
      () => true,
      (error) => {
        if (error.errno !== undefined) throw error;
        return false;
      },
    );
  }
}
