import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textOf } from './csv.ts';
import { type ReadFile, readFile } from './import-rows.ts';

const file = (text: string, timeZone = 'UTC') => {
  const read = readFile(text, timeZone);
  if ('fault' in read) throw new Error(read.fault);
  return read;
};
const links = (text: string, timeZone?: string) => file(text, timeZone).rows.map(({ link }) => link);
const refused = (text: string) => file(text).refused.map(({ row, fault }) => [row, fault]);

describe('a row of an import', () => {
  it('has the columns of the export', () => {
    const row =
      '/a,"{""a"": 1}",2030-01-01T00:00:00.000Z,http://x/s,s,2026-01-01T00:00:00.000Z,2026-02-01T00:00:00.000Z,i';
    expect(links(`destination,metadata,expiresAt,url,slug,createdAt,archivedAt,id\r\n${row}\r\n`)).toEqual([
      { destination: '/a', metadata: { a: 1 }, expiresAt: '2030-01-01T00:00:00.000Z', archived: true },
    ]);
  });

  it('takes single metadata values, and a day', () => {
    expect(links('destination,metadata.campaign,metadata.empty,expiresAt\n/a,spring,,2030-01-01\n')).toEqual([
      { destination: '/a', metadata: { campaign: 'spring' }, expiresAt: '2030-01-01T00:00:00.000Z' },
    ]);
  });

  it('keeps what is wrong, so that the check names it', () => {
    expect(links('destination,metadata\n a ,{\n')).toEqual([{ destination: ' a ', metadata: '{' }]);
  });

  it.each([
    ['destination,metadata.x\n/a?at=52.5,13.4,ada\n/b,c\n', [[2, 'moreCells']]],
    ['destination,metadata.x\n/a\n/b,c\n', [[2, 'fewerCells']]],
    ['destination,metadata.x,expiresAt\n/geo?at=52.5,13.4,,\n', [[2, 'moreCells']]],
    [
      'destination,slug,,\n/a,b,,c\n/a,b\n',
      [
        [2, 'noColumn'],
        [3, 'fewerCells'],
      ],
    ],
    ['destination,metadata.x\n\n/a,“b, c”\n/b,“c”\n', [[3, 'curlyQuote']]],
    ['destination,metadata.x,metadata.y\n/a,“b, c”\n/b,“c”,d\n', [[2, 'curlyQuote']]],
    ['destination,,metadata.x\n/a,b,c\n/a,,c\n', [[2, 'noColumn']]],
    ['destination,metadata,metadata.a\n/a,"{""a"":1}",2\n/a,"{""a"":""2""}",2\n', [[2, 'metadataTwice']]],
    ['destination,metadata\n/a,"{""a"":12345678901234567890}"\n/a,"{""a"":1e+200}"\n', [[2, 'metadataNumber']]],
    ['destination,archivedAt\n/a,yes\n', [[2, 'archivedAt']]],
    [`destination\n/${'a'.repeat(200_000)}\n`, [[2, 'tooLong']]],
  ])('is refused by its number: %j', (text, faults) => {
    expect(refused(text)).toEqual(faults);
  });

  it.each([
    ['destination\n/search?q=a,b\n/geo?at=52.5,13.4\n', ['/search?q=a,b', '/geo?at=52.5,13.4']],
    ['destination\n/p?tags=a|b|c\n/p?tags=d;e\tf\n', ['/p?tags=a|b|c', '/p?tags=d;e\tf']],
    ['destination;metadata.a,b\n/a,b;x\n', ['/a,b']],
    ['sep=;\r\ndestination\r\n/a,b\r\n', ['/a,b']],
    ['sep=,\ndestination,slug\n/a;b,c\n', ['/a;b']],
    ['destination,slug,,\n/a,b,,\n,,,\n/c,d,,\n', ['/a', '/c']],
    ['"destination"\r"/a\nb"\r/c\r', ['/a\nb', '/c']],
    ['destination|slug\n\n/a|b\n|\n/c|d', ['/a', '/c']],
  ])('is separated by the rule of the header: %j', (text, destinations) => {
    expect(links(text).map(({ destination }) => destination)).toEqual(destinations);
  });
});

describe('a file', () => {
  it.each([
    ['', 'withoutDestination'],
    ['link\n/a\n', 'withoutDestination'],
    ['a;destination;b,destination\n', 'separator'],
    ['sep=x\ndestination\n', 'separator'],
    ['destination,destination\n/a,/b\n', 'columnTwice'],
    ['destination,metadata.x\n/a, "b, c"\n', 'quotes'],
  ])('%j is refused as a whole: %s', (text, fault) => {
    expect(readFile(text, 'UTC')).toMatchObject({ fault });
  });

  it('names each row whose quotes do not fit', () => {
    expect(readFile('destination,metadata.x\n/a,5" pipe\n/b,c\n/c,"d"e\n/d,"e', 'UTC')).toMatchObject({
      refused: [
        { row: 2, fault: 'quoteInside' },
        { row: 4, fault: 'afterQuote' },
        { row: 5, fault: 'openQuote' },
      ],
    });
  });

  it('is known by its content', () => {
    const contentOf = (text: string) => file(text).content;
    expect(contentOf('destination;slug\r\n"/a";b\r\n')).toEqual(contentOf('destination,slug\n/a,b'));
    expect(contentOf('destination,slug\n/a,b')).not.toEqual(contentOf('destination,slug\n/a,c'));
  });

  it.each([
    ['utf-8', Buffer.from('destination\n/München')],
    ['utf-8 with a mark', Buffer.from('\ufeffdestination\n/München')],
    ['utf-16 of Excel', Buffer.from('\ufeffdestination\n/München', 'utf16le')],
    ['utf-16, big end first', Buffer.from('\ufeffdestination\n/München', 'utf16le').swap16()],
  ])('is decoded: %s', (_, bytes) => {
    expect(textOf(bytes)).toBe('destination\n/München');
  });

  it.each([
    ['windows-1252', Buffer.from('destination\n/M\xfcnchen', 'latin1')],
    ['half a surrogate pair in UTF-8', Buffer.from([0x2f, 0xed, 0xa0, 0x80])],
    ['half a surrogate pair in UTF-16', Buffer.from([0xff, 0xfe, 0x00, 0xd8])],
    ['a cut letter', Buffer.from('/ü').subarray(0, 2)],
  ])('is not guessed: %s', (_, bytes) => {
    expect(textOf(bytes)).toBeNull();
  });
});

describe('the time in a cell', () => {
  const timeOf = (text: string, zone: string) => links(`destination,expiresAt\n/a,"${text}"\n`, zone)[0]?.expiresAt;

  it.each([
    ['2027-01-31', 'Asia/Tokyo', '2027-01-30T15:00:00.000Z'],
    ['2027-01-31 18:00', 'Asia/Tokyo', '2027-01-31T09:00:00.000Z'],
    [' 2027-01-31T18:00:59.5 ', 'UTC', '2027-01-31T18:00:59.500Z'],
    ['2027-01-31T18:00:59.123000Z', 'Asia/Tokyo', '2027-01-31T18:00:59.123Z'],
    ['2027-01-31T18:00+0530', 'Asia/Tokyo', '2027-01-31T12:30:00.000Z'],
    ['2027-01-31t18:00:00-03:30', 'Asia/Tokyo', '2027-01-31T21:30:00.000Z'],
    ['2028-02-29', 'UTC', '2028-02-29T00:00:00.000Z'],
    // The clocks leave this hour out, and this one comes twice.
    ['2027-03-14 02:30', 'America/New_York', '2027-03-14T07:30:00.000Z'],
    ['2027-11-07 01:30', 'America/New_York', '2027-11-07T05:30:00.000Z'],
    ['2027-11-07T01:30-05:00', 'America/New_York', '2027-11-07T06:30:00.000Z'],
    // The day begins at 01:00.
    ['2027-09-05', 'America/Santiago', '2027-09-05T04:00:00.000Z'],
    ['2027-04-04 01:45', 'Australia/Lord_Howe', '2027-04-03T14:45:00.000Z'],
  ])('%s in %s is %s', (text, zone, instant) => {
    expect(timeOf(text, zone)).toBe(instant);
  });

  it.each([
    '01.02.2027',
    '2027-02-30',
    '2027-01-31T24:00',
    '2027-01-31T18:00:60',
    '2027-01-31T18',
    '2027-01-31T18:00:00.1234Z',
    '2027-01-31T18:00+99:00',
    '2027-01-31Z',
    '1798675200000',
    '+002027-01-31',
    '２０２７-01-31',
  ])('%s is refused', (text) => {
    expect(refused(`destination,expiresAt\n/a,"${text}"\n`)).toEqual([[2, 'expiresAt']]);
  });
});

describe('any file', () => {
  const HOSTILE = [
    ...',;\t|"\'“”«\r\n =+-@/\\{}[]:.\u0000\u00a0\u2028\ufeff\ud83d\ude00',
    '😀',
    '\r\n',
    '""',
    'sep=',
    'a',
  ];
  const cell = fc.string({
    unit: fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'binary', minLength: 1, maxLength: 1 })),
    maxLength: 12,
  });
  const rows = fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 6 });
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

  it.each([',', ';', '\t', '|'])('that is written by the rules with %j arrives whole', (separator) => {
    const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
    const needed = fc.boolean();
    fc.assert(
      fc.property(rows, lineEnd, needed, (rows, end, onlyNeeded) => {
        const plain = (text: string) => onlyNeeded && !/[",;\t|\r\n“”„‟«»]/.test(text);
        const line = (cells: readonly string[]) =>
          cells.map((text) => (plain(text) ? text : quoted(text))).join(separator) + end;
        const text = ['destination', 'metadata.x', 'metadata.y'].join(separator) + end + rows.map(line).join('');
        const expected = rows
          .filter((cells) => cells.some((text) => text !== ''))
          .map(([destination, x, y]) => {
            const metadata = { ...(x !== '' && { x }), ...(y !== '' && { y }) };
            return { destination, ...(Object.keys(metadata).length > 0 && { metadata }) };
          });
        expect(file(text).refused).toEqual([]);
        expect(links(text)).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });

  it('without quotes arrives cell by cell or is refused: no cell is cut, joined or changed', () => {
    fc.assert(
      fc.property(rows, (rows) => {
        // A program that knows nothing of CSV writes this.
        const body = rows.map((cells) => cells.join(',').replaceAll('"', '')).join('\n');
        const read = file(`destination,metadata.x,metadata.y\n${body}`);
        const lines = body.split(/\r\n|[\r\n]/);
        for (const { row, link } of read.rows) {
          const { x = '', y = '' } = (link.metadata ?? {}) as Record<string, string>;
          expect(lines[row - 2]!).toBe([link.destination, x, y].join(','));
        }
        const empty = lines.flatMap((line, place) => (/^,*$/.test(line) ? [place + 2] : []));
        expect([...numbersOf(read), ...empty].sort((a, b) => a - b)).toEqual(lines.map((_, place) => place + 2));
      }),
      { numRuns: 300 },
    );
  });

  const numbersOf = ({ rows, refused }: ReadFile) => [...rows, ...refused].map(({ row }) => row);
});
