/** Dates that are not ISO 8601. Which number is the day is not to be seen, so a map says it. */
export const DATE_FORMS = ['dd.mm.yyyy', 'dd/mm/yyyy', 'mm/dd/yyyy'] as const;
export type DateForm = (typeof DATE_FORMS)[number];

export function isDateForm(unit: string | undefined): unit is DateForm {
  return DATE_FORMS.some((form) => form === unit);
}

/** A date with `.` or `/`, and perhaps a time of day, of 24 hours or with AM or PM, and a time zone. */
const DATE =
  /^(\d{1,2})([./])(\d{1,2})\2(\d{4})(?:,? +(\d{1,2})(:\d{2}(?::\d{2}(?:\.\d+)?)?)(?: ?([AP])M)?( ?(?:Z|UTC|GMT|[+-]\d{2}:?\d{2}))?)?$/i;

/** Writes a date as ISO 8601. A text of another form stays as it is. */
export function isoDate(text: string, form: DateForm): string {
  const [, first, separator, second, year, hour, rest, half, zone = ''] = DATE.exec(text.trim()) ?? [];
  if (year === undefined || separator !== form[2]) return text;
  const [day, month] = form.startsWith('dd') ? [first, second] : [second, first];
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  if (hour === undefined) return date;
  return `${date}T${hourOfDay(hour, half).padStart(2, '0')}${rest}${zone}`;
}

function hourOfDay(hour: string, half: string | undefined): string {
  if (half === undefined || Number(hour) > 12) return hour;
  return String((Number(hour) % 12) + (half.toUpperCase() === 'P' ? 12 : 0));
}
