import { testFilter } from 'feedloom/plugin/testing';
import { builtIn, sentences } from '../built-in.ts';

/** Filters on places. A degree of latitude is 111.19 km, and the service's radius is 100 km. */

const HERE = ['here', '99 km north', 'by a local'];
const moved = (geo_location: string) => ({
  records: [{ kind: 'user', record: { user_id: 'angeleno', geo_location } } as const],
});

testFilter(builtIn, 'geo_locations', {
  users: { angeleno: { geo_location: '34.05,-118.24' } },
  items: {
    here: { geo_location: '34.05,-118.24' },
    '99 km north': { geo_location: '34.94,-118.24' },
    '101 km north': { geo_location: '34.96,-118.24' },
    'by a local': { author_id: 'angeleno' },
    'by a local abroad': { author_id: 'angeleno', geo_location: '48.85,2.35' },
    'east of the date line': { geo_location: '0,-179.8' },
    anywhere: { author_id: 'wanderer' },
  },
  cases: sentences({
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
    "uses the author's current place, also after its removal": [
      [['20,20'], ['by a local'], moved('20,20')],
      [['34.05,-118.24'], ['here', '99 km north'], moved('20,20')],
      [['34.05,-118.24'], ['here', '99 km north'], moved('')],
    ],
  }),
  refuses: [
    ...['34.05', '90.1,0', '0,-180.1', 'a,b', '34.05;-118.24', '1e1,0', 'NaN,0'].map((place) => [place]),
    [[34.05, -118.24]],
  ],
});

const near = {
  near: { geo_location: '10.5,10' },
  far: { geo_location: '12,10' },
  'by a local': { author_id: 'local' },
  anywhere: {},
};

testFilter(builtIn, 'remove_geo_locations', {
  users: { local: { geo_location: '10,10' } },
  items: near,
  cases: sentences({
    'drops items within the radius of at least one place and keeps items without a place': [
      [['10,10'], ['far', 'anywhere']],
      [['10,10', '12,10'], ['anywhere']],
      [['-10,-10'], Object.keys(near)],
    ],
  }),
  refuses: [['91,0'], ['0,181'], ['x']],
});
