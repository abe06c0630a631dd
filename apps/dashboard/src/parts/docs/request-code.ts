// A request of the API as code that a developer copies.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the code has templates of its own

export interface ApiRequest {
  method: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  /** JSON. */
  body: string | null;
}

const lines = (...parts: (string | false)[]): string => parts.filter((part) => part !== false).join('\n');

/** A word of a POSIX shell. */
const shellWord = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const curl = ({ method, url, headers, body }: ApiRequest): string =>
  [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${shellWord(url)}`,
    ...Object.entries(headers).map(([name, value]) => `  -H ${shellWord(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`  -d ${shellWord(body)}`]),
  ].join(' \\\n');

const indented = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`);

const node = ({ method, url, headers, body }: ApiRequest): string =>
  lines(
    `const response = await fetch(${JSON.stringify(url)}, {`,
    method !== 'GET' && `  method: '${method}',`,
    `  headers: ${indented(JSON.stringify(headers, null, 2), '  ')},`,
    body !== null && `  body: JSON.stringify(${indented(body, '  ')}),`,
    '});',
    'if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);',
    'console.log(await response.json());',
  );

/** A string of Kotlin, in which `$` begins a template. */
const kotlinString = (text: string): string => JSON.stringify(text).replaceAll('$', () => '\\$');
/** A raw string of Kotlin has no escapes. JSON never contains three quotes in a row. */
const kotlinRaw = (text: string): string => `"""\n${text}\n""".trimIndent()`.replaceAll(/\$(?=\w|\{)/g, () => "${'$'}");

const kotlinBody = (method: string, body: string | null): string => {
  const name = method.toLowerCase();
  if (body !== null) return `${name}(body)`;
  return method === 'POST' || method === 'PUT' || method === 'PATCH' ? `${name}("".toRequestBody())` : `${name}()`;
};

/** OkHttp 4 and later. */
const kotlin = ({ method, url, headers, body }: ApiRequest): string =>
  lines(
    body !== null && `val body = ${kotlinRaw(body)}.toRequestBody("application/json".toMediaType())`,
    'val request = Request.Builder()',
    `  .url(${kotlinString(url)})`,
    ...Object.entries(headers)
      .filter(([name]) => name !== 'content-type')
      .map(([name, value]) => `  .header(${kotlinString(name)}, ${kotlinString(value)})`),
    method !== 'GET' && `  .${kotlinBody(method, body)}`,
    '  .build()',
    'OkHttpClient().newCall(request).execute().use { response ->',
    '  check(response.isSuccessful) { "${response.code}: ${response.body?.string()}" }',
    '  println(response.body?.string())',
    '}',
  );

export const CODE = { curl, node, kotlin } as const;
export type CodeLanguage = keyof typeof CODE;
export const CODE_LANGUAGES = Object.keys(CODE) as CodeLanguage[];
