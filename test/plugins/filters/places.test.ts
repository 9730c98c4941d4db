import { expect, test } from 'bun:test';
import { kept, testFilter } from '../../support/extensions.ts';
import { Scene } from '../../support/scene.ts';

/** Filters on places. A degree of latitude is 111.19 km, and the service's radius is 100 km. */

const HERE = ['here', '99 km north', 'by a local'];
testFilter(
  'geo_locations',
  new Scene()
    .user('angeleno', { geo_location: '34.05,-118.24' })
    .item('here', { geo_location: '34.05,-118.24' })
    .item('99 km north', { geo_location: '34.94,-118.24' })
    .item('101 km north', { geo_location: '34.96,-118.24' })
    .item('by a local', { author: 'angeleno' })
    .item('by a local abroad', { author: 'angeleno', geo_location: '48.85,2.35' })
    .item('east of the date line', { geo_location: '0,-179.8' })
    .item('anywhere', { author: 'wanderer' }),
  {
    "keeps items within the radius, by their own place or else their author's": [
      [['34.05,-118.24'], HERE],
      [[' 34.05 , -118.24 '], HERE],
      [['0,0'], []],
    ],
    'keeps the items near any of the places': [
      [
        ['34.05,-118.24', '48.85,2.35'],
        [...HERE, 'by a local abroad'],
      ],
    ],
    'measures across the date line': ['0,179.9', '0,180', '0,-180'].map((place) => [
      [place],
      ['east of the date line'],
    ]),
  },
  [
    ...['34.05', '90.1,0', '0,-180.1', 'a,b', '34.05;-118.24', '1e1,0', 'NaN,0'].map((place) => [place]),
    [[34.05, -118.24]],
  ],
);

test("geo_locations uses the author's current place, also after its removal", () => {
  const moving = new Scene().user('a', { geo_location: '10,10' }).item('post', { author: 'a' });
  const near = (place: string) => kept(moving, 'geo_locations', [place]);
  expect(near('10,10')).toEqual(['post']);
  moving.user('a', { geo_location: '20,20' });
  expect([near('10,10'), near('20,20')]).toEqual([[], ['post']]);
  moving.user('a', {});
  expect(near('20,20')).toEqual([]);
});

testFilter(
  'remove_geo_locations',
  new Scene()
    .user('local', { geo_location: '10,10' })
    .item('near', { geo_location: '10.5,10' })
    .item('far', { geo_location: '12,10' })
    .item('by a local', { author: 'local' })
    .item('anywhere'),
  {
    'drops items within the radius of at least one place and keeps items without a place': [
      [['10,10'], ['far', 'anywhere']],
      [['10,10', '12,10'], ['anywhere']],
      [['-10,-10'], 4],
    ],
  },
  [['91,0'], ['0,181'], ['x']],
);
