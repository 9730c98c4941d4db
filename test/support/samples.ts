import { expect } from 'bun:test';
import type { TestServer } from './service.ts';

/** Samples of `GET /metrics`, by name with labels. */
export async function scrape(server: TestServer): Promise<Map<string, number>> {
  const { status, headers, body } = await server.call('GET', '/metrics');
  expect(status).toBe(200);
  expect(headers.get('content-type')).toContain('text/plain; version=0.0.4');
  return samples(body);
}

/** Samples of a text. */
export function samples(text: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    expect(line).toMatch(/^[a-z_]+(\{([a-z_]+="[^"]*",?)+\})? [-+.\de]+$/i);
    const at = line.lastIndexOf(' ');
    found.set(line.slice(0, at), Number(line.slice(at + 1)));
  }
  return found;
}
