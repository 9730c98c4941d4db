/**
 * acme/substance: a signal of how much there is to an item: the length of its text, and whether it has a picture.
 * acme/substance_v1.0.0 orders feeds by it and by popularity.
 */
import { definePlugin, defineScoringFunction, defineSignal, Type } from 'feedloom/plugin';

/** Characters from which a text is as long as it need be. */
const FULL_LENGTH = 280;
/** What a picture is worth, the text being worth the rest. */
const PICTURE = 0.3;

export default definePlugin({
  meta: { name: 'acme', version: '1.0.0', api: 2 },
  signals: {
    'acme/substance': defineSignal({
      summary: 'Length of the text up to 280 characters, and 0.3 for a picture.',
      depends_on: 'item',
      reads: ['item.text'],
      options: Type.Object({}, { additionalProperties: false }),
      compile: () => (request) => {
        const image = request.item.code('publication_type', 'image');
        return (item) => {
          const length = Math.min(request.item.field(item, 'text').length, FULL_LENGTH) / FULL_LENGTH;
          return (1 - PICTURE) * length + (request.item.has('publication_type', item, image) ? PICTURE : 0);
        };
      },
    }),
  },
  scoring_functions: {
    'acme/substance_v1.0.0': defineScoringFunction({
      summary: 'Substance, and popularity for the rest.',
      options: Type.Object(
        { share: Type.Number({ minimum: 0, maximum: 1, default: 0.5, description: 'a share from 0 to 1' }) },
        { additionalProperties: false },
      ),
      compile:
        ({ share }) =>
        (request) => {
          const substance = request.signal('acme/substance');
          const popular = request.signal('popular');
          return (item) => share * substance(item) + (1 - share) * popular(item);
        },
    }),
  },
});
