// Types of a call, from the OpenAPI document.
import type { paths } from './generated/schema.ts';

/** The methods of the management API. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The paths that have this method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<Lowercase<M>, object> ? P : never;
}[keyof paths];

/** One operation of the document. */
export type Operation<M extends Method, P extends PathOf<M>> = P extends keyof paths
  ? Lowercase<M> extends keyof paths[P]
    ? paths[P][Lowercase<M>]
    : never
  : never;

type Content<T> = T extends { content: infer C } ? C : never;

/** The body of a success: an object, or the text of a file. */
export type ReplyOf<O> = O extends { responses: { 200: infer R } }
  ? Content<R> extends { 'application/json': infer Json }
    ? Json
    : string
  : never;

/** The body of a request. */
export type BodyOf<O> = O extends { requestBody?: infer B }
  ? Content<B> extends { 'application/json': infer Json }
    ? Json
    : never
  : never;

type Part<O, K extends string> = O extends { parameters: infer Parameters }
  ? K extends keyof Parameters
    ? NonNullable<Parameters[K]>
    : never
  : never;

/** A part that the call does not have is left out, and one without required fields may be. */
type Given<Name extends string, T> = [T] extends [never]
  ? unknown
  : Partial<T> extends T
    ? { [K in Name]?: T }
    : { [K in Name]: T };

/** The parts of a request: `path`, `query`, `headers` and `body`, where the call has them. */
export type Parts<O> = Given<'path', Part<O, 'path'>> &
  Given<'query', Part<O, 'query'>> &
  Given<'headers', Part<O, 'header'>> &
  Given<'body', BodyOf<O>>;

/** The lists that are read page by page. */
export type ListPath = {
  [P in PathOf<'GET'>]: ReplyOf<Operation<'GET', P>> extends { next: string | null } ? P : never;
}[PathOf<'GET'>];

/** A row of a list. */
export type RowOf<P extends ListPath> = RowsIn<ReplyOf<Operation<'GET', P>>>;
type RowsIn<Page> = { [K in keyof Page]: Page[K] extends readonly (infer Row)[] ? Row : never }[keyof Page];

export type CreateCall = Operation<'POST', '/api/links/create-sdk'>;
/** What a link is made of. */
export type NewLink = Pick<BodyOf<CreateCall>, 'destination' | 'metadata'>;
/** A link that was made. */
export type CreatedLink = ReplyOf<CreateCall>['link'];
