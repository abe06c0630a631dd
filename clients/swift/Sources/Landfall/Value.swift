import Foundation

extension Landfall {
  /// A JSON value: of a link's metadata and parameters, or of a push. Literals make one: `["campaign": "spring"]`.
  public enum Value: Sendable, Hashable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([Value])
    case object([String: Value])

    /// The text, or nil if this is no text.
    public var string: String? { if case .string(let value) = self { value } else { nil } }
    /// The number, or nil if this is no number.
    public var number: Double? { if case .number(let value) = self { value } else { nil } }
    /// True or false, or nil if this is neither.
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    /// The items, or nil if this is no array.
    public var array: [Value]? { if case .array(let value) = self { value } else { nil } }
    /// The fields, or nil if this is no object.
    public var object: [String: Value]? { if case .object(let value) = self { value } else { nil } }

    /// A field of an object. Nil if this is no object, or has no such field.
    public subscript(field: String) -> Value? { object?[field] }
  }
}

extension Landfall.Value: Encodable {
  public func encode(to encoder: Encoder) throws {
    var it = encoder.singleValueContainer()
    switch self {
    case .null: try it.encodeNil()
    case .bool(let value): try it.encode(value)
    case .number(let value):
      // A whole number stays one: a server may refuse 40.0 where it wants 40.
      if let whole = Int64(exactly: value) { try it.encode(whole) } else { try it.encode(value) }
    case .string(let value): try it.encode(value)
    case .array(let value): try it.encode(value)
    case .object(let value): try it.encode(value)
    }
  }
}

extension Landfall.Value {
  /// Reads JSON. Nil if it is none.
  init?(json: Data) {
    // `JSONDecoder` ends the app if the name of a field is no UTF-8: its decoding of names must not fail.
    guard let any = try? JSONSerialization.jsonObject(with: json, options: .fragmentsAllowed) else { return nil }
    self.init(any)
  }

  /// Takes a value of Foundation. Nil if JSON has no such value. Fields that JSON cannot hold are left out.
  init?(_ any: Any) {
    switch any {
    case let text as String: self = .string(text)
    case let number as NSNumber:
      // A boolean is a number for Foundation. Its type is that of a C character.
      self = String(cString: number.objCType) == "c" ? .bool(number.boolValue) : .number(number.doubleValue)
    case let items as [Any]: self = .array(items.compactMap(Self.init))
    case let fields as [AnyHashable: Any]:
      let pairs = fields.compactMap { name, field in (name as? String).flatMap { name in Self(field).map { (name, $0) } } }
      self = .object(Dictionary(pairs) { $1 })
    case is NSNull: self = .null
    default: return nil
    }
  }

  var json: Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Only a number that is none cannot be encoded, and an app may put one into its metadata.
    return (try? encoder.encode(self)) ?? Data("null".utf8)
  }

  /// The value as a whole number, or nil.
  var whole: Int? { number.flatMap(Int.init(exactly:)) }

  /// The fields without those that are nil.
  static func of(_ fields: [String: Landfall.Value?]) -> Landfall.Value { .object(fields.compactMapValues { $0 }) }
}

extension Landfall.Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int) { self = .number(Double(value)) }
  public init(floatLiteral value: Double) { self = .number(value) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(arrayLiteral items: Landfall.Value...) { self = .array(items) }
  public init(dictionaryLiteral fields: (String, Landfall.Value)...) {
    self = .object(Dictionary(fields, uniquingKeysWith: { _, last in last }))
  }
}
