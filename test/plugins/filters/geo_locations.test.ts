import { describe, expect, test } from 'bun:test';
import { kept, refused } from '../../support/extensions.ts';
import { Scene } from '../../support/scene.ts';

/** A degree of latitude is 111.19 km, and the service's radius is 100 km. */
const scene = new Scene()
  .user('angeleno', { geo_location: '34.05,-118.24' })
  .item('here', { geo_location: '34.05,-118.24' })
  .item('99 km north', { geo_location: '34.94,-118.24' })
  .item('101 km north', { geo_location: '34.96,-118.24' })
  .item('by a local', { author: 'angeleno' })
  .item('by a local abroad', { author: 'angeleno', geo_location: '48.85,2.35' })
  .item('east of the date line', { geo_location: '0,-179.8' })
  .item('anywhere', { author: 'wanderer' });

const keeps = (...places: string[]) => kept(scene, 'geo_locations', places);

describe('geo_locations', () => {
  test("keeps items within the radius, by their own place or else their author's", () => {
    expect(keeps('34.05,-118.24')).toEqual(['here', '99 km north', 'by a local']);
    expect(keeps(' 34.05 , -118.24 ')).toEqual(['here', '99 km north', 'by a local']);
    expect(keeps('0,0')).toEqual([]);
  });

  test('keeps the items near any of the places', () => {
    expect(keeps('34.05,-118.24', '48.85,2.35')).toEqual([
      'here',
      '99 km north',
      'by a local',
      'by a local abroad',
    ]);
  });

  test('measures across the date line', () => {
    expect(keeps('0,179.9')).toEqual(['east of the date line']);
    expect(keeps('0,180')).toEqual(['east of the date line']);
    expect(keeps('0,-180')).toEqual(['east of the date line']);
  });

  test("uses the author's current place, also after its removal", () => {
    const moving = new Scene().user('a', { geo_location: '10,10' }).item('post', { author: 'a' });
    expect(kept(moving, 'geo_locations', ['10,10'])).toEqual(['post']);
    moving.user('a', { geo_location: '20,20' });
    expect([kept(moving, 'geo_locations', ['10,10']), kept(moving, 'geo_locations', ['20,20'])]).toEqual([
      [],
      ['post'],
    ]);
    moving.user('a', {});
    expect(kept(moving, 'geo_locations', ['20,20'])).toEqual([]);
  });

  test('rejects values other than a list of places', () =>
    refused('geo_locations', [
      '34.05,-118.24',
      1,
      {},
      [''],
      ['34.05'],
      ['90.1,0'],
      ['0,-180.1'],
      ['a,b'],
      ['34.05;-118.24'],
      ['1e1,0'],
      ['NaN,0'],
      [[34.05, -118.24]],
      [null],
    ]));
});
