import { reasonOf, StartupError } from '../errors.ts';
import { createApp, createMetricsApp } from '../http/app.ts';
import { guardConnections } from '../http/guards/connection-guard.ts';
import { CONNECTIONS } from '../http/metrics/host.ts';
import type { Host } from '../http/transport/host.ts';
import type { Settings } from '../settings.ts';

type Places = Pick<Settings, 'host' | 'port' | 'metrics_port' | 'advertise_url'> &
  Parameters<typeof createApp>[1];
type Server = Bun.Server<unknown>;

interface Place {
  port: number;
  hostname: string;
}

/** The methods of an application that listening needs. */
interface App {
  listen(place: Place): unknown;
  readonly server: Server | null;
}

/** The ports of the service. */
export class Listeners {
  private readonly main: Server;
  /** On a port of its own, if the settings name one. */
  private readonly metrics: Server | undefined;
  private readonly unguard: (() => void) | undefined;

  /**
   * Starts listening.
   * @throws StartupError `cannot_listen`; then no port is open
   */
  constructor(
    host: Host,
    private readonly settings: Places,
  ) {
    const { host: hostname, port, metrics_port } = settings;
    this.main = listen(createApp(host, settings), { hostname, port }, '--port');
    try {
      if (metrics_port !== undefined)
        this.metrics = listen(
          createMetricsApp(host, settings),
          { hostname, port: metrics_port },
          '--metrics-port',
        );
    } catch (error) {
      void this.main.stop(true);
      throw error;
    }
    const portsOf = (request: Request) =>
      this.servers.flatMap((server) => server.requestIP(request)?.port ?? []);
    const busyPorts = () =>
      new Set([...host.requests.underWay(), ...host.unsent.requests()].flatMap(portsOf));
    const guarded = this.servers.flatMap((server) => server.port ?? []);
    const guard = guardConnections(guarded, host.log, { busyPorts });
    if (guard !== undefined) host.metrics.watch(CONNECTIONS, guard);
    this.unguard = guard?.begin();
  }

  get address(): string {
    return this.addressOf(this.main);
  }

  /** `http://host:port` of the separate port for metrics, if there is one. */
  get metrics_address(): string | undefined {
    return this.metrics && this.addressOf(this.metrics);
  }

  /** Where other nodes reach this process. */
  get node_address(): string {
    return this.settings.advertise_url ?? this.address;
  }

  /** Accepts no further connections. Resolves when requests have ended, at the latest after `drain_ms`. */
  async drain(drain_ms: number): Promise<void> {
    await Promise.race([this.main.stop(), Bun.sleep(drain_ms)]);
    await this.close();
  }

  async close(): Promise<void> {
    this.unguard?.();
    await Promise.all(this.servers.map((server) => server.stop(true)));
  }

  private get servers(): Server[] {
    return [this.main, this.metrics].flatMap((server) => server ?? []);
  }

  private addressOf({ port }: Server): string {
    return `http://${hostInUrl(this.settings.host)}:${port}`;
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
  const shown = `${hostInUrl(place.hostname)}:${place.port}`;
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
