import { SOCKET } from '../cluster/leader-client.ts';
import { reasonOf, StartupError } from '../errors.ts';
import { createApp, createMetricsApp } from '../http/app.ts';
import { guardConnections } from '../http/connection-guard.ts';
import type { Host } from '../http/host.ts';
import { CONNECTIONS } from '../http/metrics/host.ts';
import type { Ports } from '../processes/messages.ts';
import type { Settings } from '../settings.ts';

type Places = Pick<Settings, 'host' | 'port' | 'metrics_port' | 'advertise_url'> &
  Parameters<typeof createApp>[1];
type Server = Bun.Server<unknown>;

type Place = { port: number; hostname: string; reusePort: boolean } | { unix: string };

/** The methods of an application that listening needs. */
interface App {
  listen(place: Place): unknown;
  readonly server: Server | null;
}

/** The servers for clients: one for everything, and a separate one for metrics if the settings name its port. */
interface Public {
  main: Server;
  metrics: Server | undefined;
}

/**
 * The ports of the service.
 *
 * One of several processes shares them with the others: the kernel gives each connection to one of the processes that
 * listen. Such a process also listens where only nodes call it, and it leaves the shared ports while it loads its state
 * and before it stops, so that no client gets a 503 that another process need not give. The first process listens at
 * once.
 */
export class Listeners {
  private shown: Public | undefined;
  /** The former servers for clients, which may still answer requests. */
  private former: Public | undefined;
  private former_ended: Promise<unknown> = Promise.resolve();
  /** For the other nodes. Absent for a process alone, which they call on its port. */
  private readonly nodes: Server | undefined;
  private readonly unguard: (() => void) | undefined;
  private ports: Ports;

  /**
   * Starts listening.
   * @throws StartupError `cannot_listen`; then no port is open
   */
  constructor(
    private readonly host: Host,
    private readonly settings: Places,
  ) {
    const { member } = host;
    const { port, metrics_port } = settings;
    this.ports = member?.membership.ports ?? { port, metrics_port };
    if (member === undefined || member.membership.first) this.join();
    try {
      if (member !== undefined) this.nodes = this.listenForNodes(member.membership.socket);
    } catch (error) {
      this.leave(true);
      throw error;
    }
    host.onServing = (serving) => {
      if (member === undefined) return;
      if (serving) this.join();
      else this.leave(false);
    };
    const portsOf = (request: Request) =>
      this.servers.flatMap((server) => server.requestIP(request)?.port ?? []);
    const busyPorts = () =>
      new Set([...host.requests.underWay(), ...host.unsent.requests()].flatMap(portsOf));
    const guarded = [this.ports.port, this.ports.metrics_port, this.nodes?.port].flatMap(
      (each) => each ?? [],
    );
    const guard = guardConnections(guarded, host.log, { busyPorts });
    if (guard !== undefined) host.metrics.watch(CONNECTIONS, guard);
    this.unguard = guard?.begin();
  }

  get address(): string {
    return this.addressOf(this.ports.port);
  }

  /** `http://host:port` of the separate port for metrics, if there is one. */
  get metrics_address(): string | undefined {
    const { metrics_port } = this.ports;
    return metrics_port === undefined ? undefined : this.addressOf(metrics_port);
  }

  /** Where other nodes reach this process. */
  get node_address(): string {
    const { advertise_url } = this.settings;
    const { membership } = this.host.member ?? {};
    if (membership?.socket !== undefined) return SOCKET + membership.socket;
    if (this.nodes === undefined || advertise_url === undefined)
      return advertise_url ?? this.addressOf(this.nodes?.port ?? this.ports.port);
    const { protocol, hostname } = new URL(advertise_url);
    return `${protocol}//${hostname}:${this.nodes.port}`;
  }

  get shared_ports(): Ports {
    return this.ports;
  }

  /** Accepts no further connections. Resolves when requests have ended, at the latest after `drain_ms`. */
  async drain(drain_ms: number): Promise<void> {
    const ending = Promise.all([this.shown?.main.stop(), this.former_ended, this.nodes?.stop()]);
    await Promise.race([ending, Bun.sleep(drain_ms)]);
    await this.close();
  }

  async close(): Promise<void> {
    this.unguard?.();
    await Promise.all(this.servers.map((server) => server.stop(true)));
  }

  private get servers(): Server[] {
    const { shown, former, nodes } = this;
    const servers = [shown?.main, shown?.metrics, former?.main, former?.metrics, nodes];
    return servers.flatMap((server) => server ?? []);
  }

  /** Listens on the ports for clients. @throws StartupError `cannot_listen`; then none of them is open */
  private join(): void {
    if (this.shown !== undefined) return;
    const { host, settings } = this;
    const { port, metrics_port } = this.ports;
    const at = { hostname: settings.host, reusePort: host.member !== undefined };
    const main = listen(createApp(host, settings), { ...at, port }, '--port');
    let metrics: Server | undefined;
    try {
      if (metrics_port !== undefined)
        metrics = listen(createMetricsApp(host, settings), { ...at, port: metrics_port }, '--metrics-port');
    } catch (error) {
      void main.stop(true);
      throw error;
    }
    this.shown = { main, metrics };
    this.ports = { port: main.port ?? port, metrics_port: metrics?.port };
  }

  /** Leaves the ports for clients. @param at_once also closes their connections */
  private leave(at_once: boolean): void {
    if (this.shown === undefined) return;
    this.former = this.shown;
    this.shown = undefined;
    this.former_ended = this.former.main.stop(at_once);
    void this.former.metrics?.stop(at_once);
  }

  private listenForNodes(socket: string | undefined): Server {
    const { host, settings } = this;
    const place =
      socket === undefined ? { hostname: settings.host, port: 0, reusePort: false } : { unix: socket };
    return listen(createApp(host, settings), place, '--host');
  }

  private addressOf(port: number): string {
    return `http://${hostInUrl(this.settings.host)}:${port}`;
  }
}

/**
 * Requires that no process listens on a port, which processes that share the port would not notice.
 * @throws StartupError `cannot_listen`
 */
export function requireFree(host: string, port: number, flag: string): void {
  if (port === 0) return;
  try {
    Bun.listen({ hostname: host, port, exclusive: true, socket: { data() {} } }).stop(true);
  } catch (error) {
    throw cannotListen(`${hostInUrl(host)}:${port}`, flag, error);
  }
}

/** Error codes that concern the port and not the host: it is in use, or needs more rights. */
const OF_THE_PORT: ReadonlySet<unknown> = new Set(['EADDRINUSE', 'EACCES']);

function cannotListen(place: string, port_flag: string, error: unknown): StartupError {
  const { code } = error as { code?: unknown };
  return new StartupError(
    'cannot_listen',
    `cannot listen on ${place}: ${reasonOf(error)}`,
    `Choose another ${OF_THE_PORT.has(code) ? port_flag : '--host'}.`,
  );
}

function listen(app: App, place: Place, port_flag: string): Server {
  const shown = 'unix' in place ? place.unix : `${hostInUrl(place.hostname)}:${place.port}`;
  try {
    app.listen(place);
  } catch (error) {
    throw cannotListen(shown, port_flag, error);
  }
  if (app.server === null) throw new StartupError('cannot_listen', `cannot listen on ${shown}`);
  return app.server;
}

/** The host in a URL: IPv6 addresses are in brackets. */
function hostInUrl(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}
