/**
 * The formats of texts that schemas of options may name (`Type.String({ format: 'date' })`) are those of the library
 * that serves HTTP. For processes that check options without serving.
 */
import 'elysia/type-system/format';
