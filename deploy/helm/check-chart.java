// Lints a chart, as `helm lint --strict` does, and renders it with each values file into a folder, as `helm template` does.
// java -cp <Helm's jars> check-chart.java <chart> <folder of values> <kubernetes version> <folder for what is rendered>
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

class CheckChart {
  public static void main(String[] args) throws IOException {
    Path chart = Path.of(args[0]);
    LintResult lint = new Helm(chart).lint().strict().call();
    if (lint.isFailed()) fail(chart + ": " + String.join("\n", lint.getMessages()));

    List<Path> values;
    try (var files = Files.list(Path.of(args[1]))) {
      values = files.sorted().toList();
    }
    for (Path file : values) {
      try {
        String rendered = new Helm(chart).template().withName("shop").withNamespace("shop")
            .withKubeVersion(args[2]).withValuesFile(file).call();
        Files.writeString(Path.of(args[3]).resolve(file.getFileName()), rendered);
      } catch (RuntimeException e) {
        fail(file + ": " + e.getMessage());
      }
    }
    // What must be given is asked for.
    try {
      new Helm(chart).template().withName("shop").withKubeVersion(args[2]).call();
      fail(chart + " renders without what must be given.");
    } catch (RuntimeException e) {
      if (!e.getMessage().contains("is not set")) fail(chart + " does not say what must be given: " + e.getMessage());
    }
    System.out.println("The chart is well: " + values.size() + " sets of values rendered.");
  }

  private static void fail(String message) {
    System.err.println(message);
    System.exit(1);
  }
}
