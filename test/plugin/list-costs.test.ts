import { describe, expect, spyOn, test } from 'bun:test';
import { compileFeed } from '../../src/feeds/compile-feed.ts';
import { distanceKm, type RequestContext } from '../../src/plugin/index.ts';
import { builtIn, requestIn, Scene } from '../support/scene.ts';

/** The cost of a filter per item must not depend on the length of its list. */

const REGISTRY = builtIn();

const scene = new Scene().item('post', {
  author: 'writer',
  channel: 'https://example.com/channel',
  app_fid: 'app',
  language: 'en',
  publication_types: ['image', 'video'],
  embed_domains: ['deep.below.example.com', 'example.org'],
  ai_labels: { music: 0.9, gaming: 0.1 },
  geo_location: '1,1',
});
/** Items with each of the values, so that all values have codes. */
const languageOf = (value: string): string => `a${String.fromCharCode(97 + (Number(value) % 26))}`;
const VALUES = Array.from({ length: 300 }, (_, at) => String(at));
for (const value of VALUES) {
  scene.item(`other ${value}`, {
    author: value,
    channel: value,
    app_fid: value,
    language: languageOf(value),
    publication_types: [value],
    embed_domains: [`${value}.example`],
    ai_labels: { [value]: 1 },
  });
}

/** A request that counts its column reads. */
function counting(request: RequestContext): { request: RequestContext; asked(): number } {
  let asked = 0;
  const counted = new Proxy(request, {
    get(target, name): unknown {
      asked++;
      return Reflect.get(target, name, target);
    },
  });
  return { request: counted, asked: () => asked };
}

/** The column reads of a filter for an item that it drops. */
function costOf(filter: string, options: unknown): number {
  const [bound] = compileFeed(REGISTRY, 'popular', { filters: { [filter]: options } }).filters;
  const { request, asked } = counting(requestIn(scene));
  const keeps = bound.bind(request);
  const before = asked();
  keeps(request.item.find('post'));
  return asked() - before;
}

describe('a filter with a long list reads no more columns per item than one with a short list', () => {
  test.each<[string, (value: string) => unknown]>([
    ['channels', (value: string) => value],
    ['app_fids', (value: string) => value],
    ['languages', languageOf],
    ['publication_types', (value: string) => value],
    ['embed_domains', (value: string) => `${value}.example`],
    ['author_ids', (value: string) => value],
    ['remove_author_ids', (value: string) => value],
    ['ai_labels', (value: string) => value],
    ['ai_labels', (value: string) => ({ label: value, threshold: 0.5 })],
    ['remove_ai_labels', (value: string) => value],
  ])('%s', (filter, entry) => {
    const cost = costOf(filter, VALUES.slice(0, 2).map(entry));
    expect(costOf(filter, VALUES.map(entry))).toBe(cost);
    expect(cost).toBeLessThanOrEqual(2);
  });
});

describe('geo_locations', () => {
  /** The number of measured distances while a filter tests an item. */
  function measured(places: readonly string[]): number {
    const [bound] = compileFeed(REGISTRY, 'popular', { filters: { geo_locations: places } }).filters;
    const request = requestIn(scene);
    const keeps = bound.bind(request);
    using measuring = spyOn(Math, 'asin');
    keeps(request.item.find('post'));
    return measuring.mock.calls.length;
  }

  test('measures the distance only to places near the radius', () => {
    const on_one_latitude = Array.from({ length: 1000 }, (_, at) => `1,${(10 + at / 10).toFixed(1)}`);
    const beside_each_other = Array.from({ length: 1000 }, (_, at) => `${(3 + at / 1e4).toFixed(4)},1`);
    expect([measured(on_one_latitude), measured(beside_each_other)]).toEqual([0, 0]);
    expect(measured([...on_one_latitude.slice(1), '1.1,1.1'])).toBe(1);
  });

  test('keeps items within the radius of at least one place, anywhere on the globe', () => {
    // 100 km at the equator, at the poles and across the date line.
    const spots = [-90, -89.5, -60.3, -0.4, 0, 0.9, 45, 89.2, 90].flatMap((latitude) =>
      [-180, -179.6, -90, 0, 0.899, 0.9, 13.7, 179.3, 180].map((longitude) => ({ latitude, longitude })),
    );
    const world = new Scene();
    const text = ({ latitude, longitude }: (typeof spots)[number]) => `${latitude},${longitude}`;
    for (const spot of spots) world.item(text(spot), { geo_location: text(spot) });
    const request = requestIn(world);
    for (const place of spots) {
      const places = [place, { latitude: 20, longitude: 20 }, { latitude: -41.5, longitude: 160 }];
      const options = { geo_locations: places.map(text) };
      const [bound] = compileFeed(REGISTRY, 'popular', { filters: options }).filters;
      const keeps = bound.bind(request);
      for (const spot of spots) {
        const { latitude, longitude } = spot;
        const near = places.some(
          (each) => distanceKm(each.latitude, each.longitude, latitude, longitude) <= 100,
        );
        expect([text(place), text(spot), keeps(request.item.find(text(spot)))]).toEqual([
          text(place),
          text(spot),
          near,
        ]);
      }
    }
  });
});
