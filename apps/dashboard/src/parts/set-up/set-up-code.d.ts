// The module that build/set-up-code.ts makes out of the clients, the examples and the guides.

declare module 'virtual:set-up-code' {
  const code: import('../../../build/set-up-code.ts').SetUpCode;
  export default code;
}
