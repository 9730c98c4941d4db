import { describe, expect, test } from 'bun:test';
import pino from 'pino';
import { createApp } from '../../../src/http/app.ts';
import { Host } from '../../../src/http/transport/host.ts';
import { readSettings } from '../../../src/settings.ts';
import { forFile, openTestServer } from '../../support/service.ts';

const server = await forFile(openTestServer());

describe('GET /swagger', () => {
  test('GET /swagger is a page whose assets the service provides', async () => {
    const { status, headers, body } = await server.call('GET', '/swagger');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    const assets = [...String(body).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address);
    expect(assets).toEqual([
      'data:,',
      'swagger/swagger-ui.css',
      'swagger/narrow.css',
      'swagger/swagger-ui-bundle.js',
      'swagger/start.js',
    ]);
    for (const address of assets.slice(1)) expect((await server.call('GET', `/${address}`)).status).toBe(200);
  });

  test('the Swagger page may load nothing from other hosts', async () => {
    for (const path of [
      '/swagger',
      '/swagger/swagger-ui.css',
      '/swagger/narrow.css',
      '/swagger/swagger-ui-bundle.js',
      '/swagger/start.js',
    ]) {
      const { headers } = await server.call('GET', path);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toStartWith("default-src 'none'; script-src 'self'; ");
      expect(policy).not.toContain('http');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  test('the styles of the Swagger page name no other host', async () => {
    const { body } = await server.call('GET', '/swagger/swagger-ui.css');
    expect(String(body)).not.toMatch(/url\(\s*['"]?(https?:)?\/\//);
  });

  test('the Swagger page supports no other method', async () => {
    const { status, headers } = await server.call('POST', '/swagger', {});
    expect(status).toBe(405);
    expect(headers.get('allow')).toBe('GET');
  });

  test('the assets of the Swagger page have their media types', async () => {
    const type = async (path: string) => (await server.call('GET', path)).headers.get('content-type');
    expect(await type('/swagger/swagger-ui.css')).toBe('text/css; charset=utf-8');
    expect(await type('/swagger/narrow.css')).toBe('text/css; charset=utf-8');
    expect(await type('/swagger/swagger-ui-bundle.js')).toBe('text/javascript; charset=utf-8');
    expect(await type('/swagger/start.js')).toBe('text/javascript; charset=utf-8');
  });
});

describe('GET /swagger/json', () => {
  test('GET /swagger/json returns the document without a key', async () => {
    const { status, headers, body } = await server.call('GET', '/swagger/json');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toStartWith('application/json');
    expect(body.openapi).toBe('3.1.0');
    expect(body.paths).toHaveProperty(['/v2/community/casts/feed/for-you', 'post']);
  });

  test('the document has the same paths on every network', async () => {
    await using elsewhere = await openTestServer({ settings: { network: 'elsewhere' } });
    const { body } = await elsewhere.call('GET', '/swagger/json');
    expect(Object.keys(body.paths)).toContain('/v2/community/items');
    expect(JSON.stringify(body)).not.toMatch(/\/v2\/(farcaster|elsewhere)/);
  });

  test('the document is 503 while the service loads, and the page works already', async () => {
    const host = new Host(pino({ level: 'silent' }));
    const app = createApp(host, readSettings({}));
    const status = async (path: string) => (await app.handle(new Request(`http://localhost${path}`))).status;
    expect(await status('/swagger/json')).toBe(503);
    expect(await status('/swagger')).toBe(200);
    expect(await status('/metrics')).toBe(200);
    host.open(server.service, server.keys);
    expect(await status('/swagger/json')).toBe(200);
  });
});
