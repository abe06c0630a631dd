// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the code has templates of its own
import { execFileSync } from 'node:child_process';
import vm from 'node:vm';
import { describe, expect, it } from 'vitest';
import { type ApiRequest, CODE } from './request-code.ts';

const body = JSON.stringify({ text: `it's "$HOME" \${x} \\ \n`, list: [''] }, null, 2);
const create: ApiRequest = {
  method: 'POST',
  url: 'http://localhost:8080/api/x?a=%24b&c=d',
  headers: { 'x-service-sdk-key': "ol_'$1", 'content-type': 'application/json' },
  body,
};
const read: ApiRequest = { method: 'GET', url: 'http://localhost:8080/api/x', headers: {}, body: null };

describe('the code of a request', () => {
  it('for a shell gives curl the same words, with quotes and dollars in them', () => {
    const printed = execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }\n${CODE.curl(create)}`], {
      encoding: 'utf8',
    });
    expect(printed.split('\0').slice(0, -1)).toEqual([
      ...['-X', 'POST', create.url],
      ...['-H', "x-service-sdk-key: ol_'$1", '-H', 'content-type: application/json', '-d', body],
    ]);
    expect(CODE.curl(read)).toBe("curl 'http://localhost:8080/api/x'");
  });

  it('for Node calls fetch with the same request', async () => {
    const called: unknown[] = [];
    const fetch = async (...args: unknown[]) => {
      called.push(args);
      return { ok: true, json: async () => ({}) };
    };
    await vm.runInNewContext(`(async () => {${CODE.node(create)}})()`, { fetch, console: { log() {} } });
    const { method, headers } = create;
    expect(called).toEqual([[create.url, { method, headers, body: JSON.stringify(JSON.parse(body)) }]]);
    expect(CODE.node(read)).not.toMatch(/method|body:/);
  });

  it('for Kotlin escapes what begins a template, in strings and in raw strings', () => {
    const code = CODE.kotlin(create);
    expect(code).toContain(String.raw`.header("x-service-sdk-key", "ol_'\$1")`);
    expect(code).toContain(String.raw`"text": "it's \"${"${'$'}HOME"}\" ${"${'$'}{x}"} \\ \n"`);
    expect(code).toContain('.post(body)');
    expect(code).not.toContain('content-type');
    expect(CODE.kotlin({ ...read, method: 'DELETE' })).toContain('.delete()');
    expect(CODE.kotlin({ ...read, method: 'POST' })).toContain('.post("".toRequestBody())');
  });
});
