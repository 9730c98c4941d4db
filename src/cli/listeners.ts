import { reasonOf, StartupError } from '../errors.ts';
import { createApp, createMetricsApp } from '../http/app.ts';
import { guardConnections } from '../http/connection-guard.ts';
import type { Host } from '../http/host.ts';
import type { Settings } from '../settings.ts';

type Places = Pick<Settings, 'host' | 'port' | 'metrics_port'> & Parameters<typeof createApp>[1];
type Server = Bun.Server<unknown>;

/** The methods of an application that listening needs. */
interface App {
  listen(place: { port: number; hostname: string }): unknown;
  readonly server: Server | null;
}

/** The ports of the service: one for everything, and a separate one for metrics if the settings name it. */
export class Listeners {
  private readonly main: Server;
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
    const { port, metrics_port } = settings;
    this.main = listen(createApp(host, settings), settings.host, port, '--port');
    try {
      if (metrics_port !== undefined)
        this.metrics = listen(
          createMetricsApp(host, settings),
          settings.host,
          metrics_port,
          '--metrics-port',
        );
    } catch (error) {
      void this.main.stop(true);
      throw error;
    }
    const servers = [this.main, this.metrics].flatMap((server) => server ?? []);
    const ports = servers.flatMap(({ port }) => port ?? []);
    const portsOf = (request: Request) => servers.flatMap((server) => server.requestIP(request)?.port ?? []);
    const busyPorts = () =>
      new Set([...host.requests.underWay(), ...host.unsent.requests()].flatMap(portsOf));
    const guard = guardConnections(ports, host.log, { busyPorts });
    if (guard !== undefined) host.metrics.watchConnections(guard);
    this.unguard = guard?.begin();
  }

  /** `http://host:port` */
  get address(): string {
    return this.addressOf(this.main);
  }

  /** `http://host:port` of the separate port for metrics, if there is one. */
  get metrics_address(): string | undefined {
    return this.metrics === undefined ? undefined : this.addressOf(this.metrics);
  }

  /** Accepts no further connections. Resolves when requests have ended, at the latest after `drain_ms`. */
  async drain(drain_ms: number): Promise<void> {
    await Promise.race([this.main.stop(), Bun.sleep(drain_ms)]);
    await this.close();
  }

  /** Closes every connection. */
  async close(): Promise<void> {
    this.unguard?.();
    await this.main.stop(true);
    await this.metrics?.stop(true);
  }

  private addressOf({ port }: Server): string {
    return `http://${hostInUrl(this.settings.host)}:${port}`;
  }
}

/** Error codes that concern the port and not the host: it is in use, or needs more rights. */
const OF_THE_PORT: ReadonlySet<unknown> = new Set(['EADDRINUSE', 'EACCES']);

/** @throws StartupError `cannot_listen` */
function listen(app: App, host: string, port: number, port_flag: string): Server {
  const place = `${hostInUrl(host)}:${port}`;
  try {
    app.listen({ port, hostname: host });
  } catch (error) {
    const { code } = error as { code?: unknown };
    throw new StartupError(
      'cannot_listen',
      `cannot listen on ${place}: ${reasonOf(error)}`,
      `Choose another ${OF_THE_PORT.has(code) ? port_flag : '--host'}.`,
    );
  }
  if (app.server === null) throw new StartupError('cannot_listen', `cannot listen on ${place}`);
  return app.server;
}

/** The host in a URL: IPv6 addresses are in brackets. */
function hostInUrl(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}
