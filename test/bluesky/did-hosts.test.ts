import { describe, expect, test } from 'bun:test';
import { DidHosts, type DidNetwork, NoSuchDocument } from '../../src/bluesky/did-hosts.ts';
import type { OpenOptions } from '../../src/plugin/outgoing.ts';
import { ManualTimers } from '../support/manual-timers.ts';

const WEB = 'did:web:alice.example.com';
const PLC = 'did:plc:z72i7hdynmk6r22z27h6tvur';
const PUBLIC = '93.184.216.34';

interface Fetched {
  url: string;
  init: OpenOptions;
}

/** A network of which the test decides addresses and answers. */
class TestNetwork implements DidNetwork {
  readonly fetched: Fetched[] = [];
  readonly looked_up: string[] = [];
  addresses: string[] | Promise<string[]> = [PUBLIC];
  answer: (init: OpenOptions) => Response | Promise<Response> = () => Response.json({});

  async addressesOf(host: string): Promise<string[]> {
    this.looked_up.push(host);
    return this.addresses;
  }

  async open(url: string, init: OpenOptions): Promise<Response> {
    this.fetched.push({ url, init });
    return this.answer(init);
  }
}

function newHosts() {
  const network = new TestNetwork();
  const timers = new ManualTimers();
  const hosts = new DidHosts({ plc_url: 'https://plc.example.com', network, timers });
  return { hosts, network, timers };
}

const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error) => error,
  );

describe('the document of a did:web', () => {
  test('it is read from the checked address, with the name of the host in the request and its certificate', async () => {
    const { hosts, network } = newHosts();
    network.answer = () => Response.json({ id: WEB });
    expect(await hosts.document(WEB)).toEqual({ id: WEB });
    expect(network.looked_up).toEqual(['alice.example.com']);
    const [{ url, init }] = network.fetched;
    expect(url).toBe(`https://${PUBLIC}/.well-known/did.json`);
    expect(new Headers(init.headers).get('host')).toBe('alice.example.com');
    expect(init).toMatchObject({ tls: { serverName: 'alice.example.com' } });
  });

  test('an IPv6 address is connected to as well', async () => {
    const { hosts, network } = newHosts();
    network.addresses = ['2606:2800:220:1::1'];
    await hosts.document(WEB);
    expect(network.fetched[0].url).toBe('https://[2606:2800:220:1::1]/.well-known/did.json');
  });

  test.each([
    [[]],
    [['127.0.0.1']],
    [['10.1.2.3']],
    [['172.16.0.1']],
    [['192.168.1.1']],
    [['169.254.169.254']],
    [['100.64.0.1']],
    [['0.0.0.0']],
    [['224.0.0.1']],
    [['255.255.255.255']],
    [['192.0.2.1']],
    [['::1']],
    [['::']],
    [['fe80::1']],
    [['fc00::1']],
    [['ff02::1']],
    [['::ffff:127.0.0.1']],
    [['::ffff:10.0.0.1']],
    [['64:ff9b::7f00:1']],
    [['::7f00:1']],
    [['4000::1']],
    [['2002:7f00:1::']],
    [['2001:db8::1']],
    [['not an address']],
    [[PUBLIC, '127.0.0.1']],
    [['127.0.0.1', PUBLIC]],
  ])('a host is not connected to if it has the addresses %p', async (addresses) => {
    const { hosts, network } = newHosts();
    network.addresses = addresses;
    expect(await failureOf(hosts.document(WEB))).toBeInstanceOf(NoSuchDocument);
    expect(network.fetched).toEqual([]);
  });

  test.each([
    'did:web:localhost',
    'did:web:10.0.0.1',
    'did:web:example.com%3A80',
    'did:web:a.b:c',
    'did:key:z6Mk',
  ])('no name is looked up for %s', async (did) => {
    const { hosts, network } = newHosts();
    expect(await failureOf(hosts.document(did))).toBeInstanceOf(NoSuchDocument);
    expect([network.looked_up, network.fetched]).toEqual([[], []]);
  });

  test('lookups that do not end are bounded', async () => {
    const { hosts, network, timers } = newHosts();
    const { promise: never } = Promise.withResolvers<string[]>();
    network.addresses = never;
    const failures = Array.from({ length: 40 }, () => failureOf(hosts.document(WEB)));
    await timers.pass(2);
    for (const failure of failures) expect(await failure).toBeInstanceOf(Error);
    expect(network.looked_up).toHaveLength(32);
  });
});

describe('any document', () => {
  test('that of a did:plc is read from the directory', async () => {
    const { hosts, network } = newHosts();
    await hosts.document(PLC);
    expect(network.fetched.map(({ url }) => url)).toEqual([`https://plc.example.com/${PLC}`]);
    expect(network.looked_up).toEqual([]);
  });

  test('a host that does not answer is given up after two seconds, and the request is aborted', async () => {
    const { hosts, network, timers } = newHosts();
    network.answer = () => Promise.withResolvers<Response>().promise;
    const failure = failureOf(hosts.document(PLC));
    await timers.pass(1.9);
    expect(network.fetched[0].init.signal?.aborted).toBe(false);
    await timers.pass(0.1);
    expect(String(await failure)).toContain('no answer within 2 seconds');
    expect(network.fetched[0].init.signal?.aborted).toBe(true);
    expect(timers.count).toBe(0);
  });

  test('a host that sends one byte after another is given up after two seconds', async () => {
    const { hosts, network, timers } = newHosts();
    network.answer = () =>
      new Response(new ReadableStream({ start: (sent) => sent.enqueue(new Uint8Array(1)) }));
    const failure = failureOf(hosts.document(PLC));
    await timers.pass(2);
    expect(String(await failure)).toContain('no answer within 2 seconds');
  });

  test('at most 64 KiB are read', async () => {
    const { hosts, network } = newHosts();
    let sent_bytes = 0;
    let cancelled = false;
    network.answer = () =>
      new Response(
        new ReadableStream({
          pull: (stream) => {
            sent_bytes += 1_024;
            stream.enqueue(new Uint8Array(1_024).fill(32));
          },
          cancel: () => {
            cancelled = true;
          },
        }),
      );
    expect(String(await failureOf(hosts.document(PLC)))).toContain('more than 65536 bytes');
    expect(sent_bytes).toBeLessThan(80_000);
    expect(cancelled).toBe(true);
  });

  test('a redirect is not followed, and only 404 and 410 say that there is no document', async () => {
    const { hosts, network } = newHosts();
    for (const [status, is_missing] of [
      [301, false],
      [302, false],
      [404, true],
      [410, true],
      [429, false],
      [500, false],
      [204, false],
    ] as const) {
      network.answer = () => new Response(null, { status, headers: { location: 'https://127.0.0.1/' } });
      const failure = await failureOf(hosts.document(PLC));
      expect([status, failure instanceof NoSuchDocument]).toEqual([status, is_missing]);
      expect(failure).toBeInstanceOf(Error);
    }
    expect(network.fetched).toHaveLength(7);
  });
});
