import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DayOrder } from './cell-times.ts';
import { type Mapping, proposed, withTarget } from './columns.ts';
import { textOf } from './csv.ts';
import { asksOrder, type ReadRows, readRows } from './import-rows.ts';
import { resultFile } from './result-file.ts';
import { passwordsIn, readTable, type Table } from './table.ts';

const tableOf = (text: string): Table => {
  const table = readTable(text);
  if ('fault' in table) throw new Error(table.fault);
  return table;
};
const places = { webFallbackUrl: 'https://shop.example.com', hosts: ['shop.links.example'] };
const file = (
  text: string,
  timeZone = 'UTC',
  more: { mapping?: Mapping; order?: DayOrder; keepsText?: boolean } = {},
) => {
  const table = tableOf(text);
  return readRows(table, { mapping: proposed(table.names), order: null, keepsText: false, timeZone, places, ...more });
};
const links = (text: string, timeZone?: string) => file(text, timeZone).rows.map(({ link }) => link);
const refused = (text: string) => file(text).refused.map(({ row, fault }) => [row, fault]);

describe('a row of an import', () => {
  it('has the columns of the export', () => {
    const row =
      '/a,"{""a"": 1}",2030-01-01T00:00:00.000Z,http://x/s,s,2026-01-01T00:00:00.000Z,2026-02-01T00:00:00.000Z,i';
    expect(links(`destination,metadata,expiresAt,url,slug,createdAt,archivedAt,id\r\n${row}\r\n`)).toEqual([
      { destination: '/a', metadata: { a: 1 }, expiresAt: '2030-01-01T00:00:00.000Z', archived: true, slug: 's' },
    ]);
  });

  it('gets a new slug when Landfall made its own', () => {
    expect(links('destination,slug\n/a,1763737445000-abcdefghijkl\n/b,spring\n')).toEqual([
      { destination: '/a' },
      { destination: '/b', slug: 'spring' },
    ]);
  });

  it('takes single metadata values, and a day', () => {
    expect(links('destination,metadata.campaign,metadata.empty,expiresAt\n/a,spring,,2030-01-01\n')).toEqual([
      { destination: '/a', metadata: { campaign: 'spring' }, expiresAt: '2030-01-01T00:00:00.000Z' },
    ]);
  });

  it('keeps what is wrong, so that the check names it', () => {
    expect(links('destination,metadata\n /a ,{\n')).toEqual([{ destination: ' /a ', metadata: '{' }]);
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
    ['destination,archivedAt\n/a,perhaps\n', [[2, 'archived']]],
    ['url\nhttps://shop.links.example/x\n', [[2, 'destination.ownLink']]],
    ['url\nhttp://other.example/x\n', [[2, 'destination.notHttps']]],
    ['url\nhtp:/shop example\n', [[2, 'noPlace']]],
    ['url,name\n,Sale\n', [[2, 'destination.missing']]],
    ['url,source\n/a?utm_source=x,y\n/a?utm_source=x,X\n', [[2, 'utmTwice']]],
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
    ['', 'empty'],
    ['destination,slug\n,,\n', 'noRows'],
    ['a;destination;b,destination\n', 'separator'],
    ['a,b;c\n1,2;3\n', 'separator'],
    ['sep=x\ndestination\n', 'separator'],
    ['destination,destination\n/a,/b\n', 'columnTwice'],
    ['destination,metadata.x\n/a, "b, c"\n', 'quotes'],
  ])('%j is refused as a whole: %s', (text, fault) => {
    expect(readTable(text)).toMatchObject({ fault });
  });

  it('may have passwords, which no link has', () => {
    expect(passwordsIn(tableOf('destination,Password\n/a,\n/b,secret\n'))).toBe(1);
    expect(passwordsIn(tableOf('destination\n/a\n'))).toBe(0);
  });

  it('names each row whose quotes do not fit', () => {
    expect(readTable('destination,metadata.x\n/a,5" pipe\n/b,c\n/c,"d"e\n/d,"e')).toMatchObject({
      broken: [
        { row: 2, fault: 'quoteInside' },
        { row: 4, fault: 'afterQuote' },
        { row: 5, fault: 'openQuote' },
      ],
    });
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

describe('the columns of other products', () => {
  it.each([
    [
      'Dub',
      'link,url,clicks,createdAt,id,tags,archived\nhttps://dub.sh/Spring,https://shop.example.com/sale?x=1,5,2026-01-01,l1,"a,b",true\n',
      { slug: 'Spring', destination: '/sale?x=1', tags: 'a,b', archived: true },
    ],
    [
      'Bitly',
      'Title,Long URL,Custom back-half,Tags\nSpring,https://other.example/a,spring,a|b\n',
      { name: 'Spring', destination: '/a', webUrl: 'https://other.example/a', slug: 'spring', tags: 'a,b' },
    ],
    [
      'Branch',
      'alias,~channel,~campaign,$deeplink_path,$desktop_url\nspring,News Letter,Spring Sale,/sale,https://other.example/a\n',
      {
        slug: 'spring',
        destination: '/sale',
        webUrl: 'https://other.example/a',
        utm_source: 'news-letter',
        utm_campaign: 'spring-sale',
      },
    ],
    [
      'Branch, with paths without their slash',
      'Alias,$canonical_url,$deeplink_path,$og_title,$og_image_url\na,https://shop.example.com/p/1,p/1?x=1,Hello,https://shop.example.com/1.png\n',
      {
        slug: 'a',
        destination: '/p/1?x=1',
        metadata: { og_title: 'Hello', og_image: 'https://shop.example.com/1.png' },
      },
    ],
    [
      'Branch, with what only it has',
      'Alias,Link URL,~feature,~stage,$canonical_url,$custom,Type,~id,Total Clicks,Creation Date\na,https://x.app.link/b,Email,s,https://shop.example.com/p,c,t,1,2,2026-01-01\n',
      { slug: 'a', destination: '/p', utm_medium: 'email', metadata: { stage: 's', custom: 'c', Type: 't' } },
    ],
    [
      'Shlink',
      'Short URL,Long URL,Created at,Title,Tags,Visits\nhttps://s.test/abc,https://shop.example.com/x,2026-01-01,X,,3\n',
      { slug: 'abc', destination: '/x', name: 'X' },
    ],
    [
      'Short.io',
      'originalURL,shortURL,title,iphoneURL,androidURL,archived\nhttps://shop.example.com/x,https://s.test/Abc,X,https://shop.example.com/ios,https://shop.example.com/android,\n',
      {
        slug: 'Abc',
        destination: '/x',
        name: 'X',
        iosUrl: 'https://shop.example.com/ios',
        androidUrl: 'https://shop.example.com/android',
      },
    ],
    [
      'a spreadsheet',
      'Name;URL;Campaign;Source\nA;/a;Spring; News \n',
      { name: 'A', destination: '/a', utm_campaign: 'spring', utm_source: 'news' },
    ],
  ])('are known: %s', (_, text, link) => {
    expect(links(text)).toEqual([link]);
  });

  it('fill the cells that better columns leave empty', () => {
    const page = (path: string) => `https://shop.example.com/${path}`;
    const header = '$fallback_url,$desktop_url,$canonical_url,$deeplink_path,Link URL,alias';
    const rows = [
      `${page('f')},${page('d')},${page('c')},p,https://x.app.link/Abc,a`,
      `${page('f')},${page('d')},${page('c')},,https://x.app.link/Abc?x=1,`,
      `${page('f')},${page('d')},,,,`,
      `${page('f')},,,,,`,
    ];
    expect(links([header, ...rows].join('\n'))).toEqual([
      { destination: '/p', webUrl: page('d'), slug: 'a' },
      { destination: '/c', webUrl: page('d'), slug: 'Abc' },
      { destination: '/d', webUrl: page('d') },
      { destination: '/f', webUrl: page('f') },
    ]);
    expect(refused(`${header}\n,,,,,a\n`)).toEqual([[2, 'destination.missing']]);
    expect(links('Bitlink,Long URL,Custom back-half\nbit.ly/3xY,/a,\nbit.ly/3xZ,/b,own\n')).toEqual([
      { destination: '/a', slug: '3xY' },
      { destination: '/b', slug: 'own' },
    ]);
    // Elsewhere, an own page is no destination, and `Link URL` may be any address.
    const elsewhere = `destination,desktop_url,Link URL\n/a,,b\n,${page('d')},b\n`;
    expect([links(elsewhere), refused(elsewhere)]).toEqual([[{ destination: '/a' }], [[3, 'destination.missing']]]);
  });

  it('may be changed, and no two become the same', () => {
    const names = ['Ziel', 'Link', 'Kunde'];
    const mapping = withTarget(withTarget(proposed(names), 0, 'destination'), 2, 'value');
    expect([proposed(names), mapping]).toEqual([
      ['none', 'destination', 'none'],
      ['destination', 'none', 'value'],
    ]);
    expect(file('Ziel,Link,Kunde\n/a,/b,c\n', 'UTC', { mapping }).rows[0]?.link).toEqual({
      destination: '/a',
      metadata: { Kunde: 'c' },
    });
  });

  it('keep their spelling of a campaign when the person wants it', () => {
    const read = file('url,campaign\n/a, Spring Sale \n', 'UTC', { keepsText: true });
    expect(read.rows[0]?.link.utm_campaign).toBe('Spring Sale');
  });

  it('come back with what became of each row', () => {
    const table = tableOf('url;"a;b"\n/a;=1+1\n/b;"x ""y"" z"\n');
    const outcomes = new Map([
      [2, { url: 'https://x.example/s', slug: 's', error: '' }],
      [3, { error: 'No, “never”.' }],
    ]);
    expect(resultFile(table, outcomes, ['new url', 'new slug', 'error'])).toBe(
      '\ufeffurl,"a;b",new url,new slug,error\r\n/a,\'=1+1,https://x.example/s,s,\r\n/b,"x ""y"" z",,,"No, “never”."\r\n',
    );
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
    expect(refused(`destination,expiresAt\n/a,"${text}"\n`)).toEqual([[2, 'time']]);
  });

  const inOrder = (text: string, order: DayOrder) => {
    const { rows, refused } = file(`destination,expiresAt\n/a,${text}\n`, 'UTC', { order });
    return rows[0]?.link.expiresAt?.slice(0, 16) ?? refused[0]?.fault;
  };

  it.each([
    ['01.02.2027', 'twoWays', '2027-02-01T00:00', '2027-01-02T00:00'],
    ['1/2/2027 18:30', 'twoWays', '2027-02-01T18:30', '2027-01-02T18:30'],
    // One way is left.
    ['31.12.2027', '2027-12-31T00:00', '2027-12-31T00:00', 'time'],
    ['12-31-2027', '2027-12-31T00:00', 'time', '2027-12-31T00:00'],
    ['02/02/2027', '2027-02-02T00:00', '2027-02-02T00:00', '2027-02-02T00:00'],
    ['1.2/2027', 'time', 'time', 'time'],
    ['31.02.2027', 'time', 'time', 'time'],
  ])('%s is certain when the order of days is', (text, alone, dayFirst, monthFirst) => {
    expect([inOrder(text, null), inOrder(text, 'dayFirst'), inOrder(text, 'monthFirst')]).toEqual([
      alone,
      dayFirst,
      monthFirst,
    ]);
    const table = tableOf(`destination,expiresAt\n/a,${text}\n`);
    expect(asksOrder(table, proposed(table.names), 'UTC')).toBe(alone === 'twoWays');
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
  const destination = cell.map((text) => `/${text}`);
  const rows = fc.array(fc.tuple(destination, cell, cell), { minLength: 1, maxLength: 6 });
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
        const expected = rows.map(([destination, x, y]) => {
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

  const numbersOf = ({ rows, refused }: ReadRows) => [...rows, ...refused].map(({ row }) => row);
});
