import pino from 'pino';
import { routesOf } from '../http/app.ts';
import { openApiDocument } from '../http/openapi/document.ts';
import { Host } from '../http/transport/host.ts';
import { openRegistry } from '../service.ts';
import type { Settings } from '../settings.ts';
import { print } from './output.ts';

/** `feedloom openapi`: prints the description of the HTTP API. Needs no data. */
export async function printOpenApi(settings: Settings): Promise<void> {
  const { registry } = await openRegistry(settings);
  const routes = routesOf(new Host(pino({ level: 'silent' })), settings);
  print(JSON.stringify(await openApiDocument(routes, registry), undefined, 2));
}
