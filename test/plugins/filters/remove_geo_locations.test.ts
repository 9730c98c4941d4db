import { describe, expect, test } from 'bun:test';
import { kept, refused } from '../../support/extensions.ts';
import { Scene } from '../../support/scene.ts';

const scene = new Scene()
  .user('local', { geo_location: '10,10' })
  .item('near', { geo_location: '10.5,10' })
  .item('far', { geo_location: '12,10' })
  .item('by a local', { author: 'local' })
  .item('anywhere');

describe('remove_geo_locations', () => {
  test('drops items within the radius of at least one place and keeps items without a place', () => {
    expect(kept(scene, 'remove_geo_locations', ['10,10'])).toEqual(['far', 'anywhere']);
    expect(kept(scene, 'remove_geo_locations', ['10,10', '12,10'])).toEqual(['anywhere']);
    expect(kept(scene, 'remove_geo_locations', ['-10,-10'])).toHaveLength(4);
    expect(kept(scene, 'remove_geo_locations', [])).toHaveLength(4);
  });

  test('rejects values other than a list of places', () =>
    refused('remove_geo_locations', ['10,10', {}, [''], ['91,0'], ['0,181'], ['x'], [null]]));
});
