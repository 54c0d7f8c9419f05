#include "viz/window/language.h"

#ifdef BUBBLESCOPE_TRANSLATIONS
#include "embedded/germanTranslation.h"
#endif

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>

namespace bubblescope::viz {
namespace {

/// Functions outside a class translate under a name of their own, where the tool that collects the texts
/// files them under the namespace. What isn't found under one is looked for under the other.
class Translator : public QTranslator {
public:
    using QTranslator::QTranslator;

    QString translate(const char* context, const char* source, const char* disambiguation, int n) const override
    {
        const QString found = QTranslator::translate(context, source, disambiguation, n);
        return found.isEmpty() ? QTranslator::translate("bubblescope::viz", source, disambiguation, n) : found;
    }
};

/// The translators of the program belong to it, under this name.
constexpr const char* translatorName = "bubblescopeTranslator";

void removeTranslators()
{
    for (auto* translator :
         qApp->findChildren<QTranslator*>(QLatin1String(translatorName), Qt::FindDirectChildrenOnly)) {
        QCoreApplication::removeTranslator(translator);
        delete translator;
    }
}

void installGerman()
{
#ifdef BUBBLESCOPE_TRANSLATIONS
    // First, so that ours is asked first: "Cancel" and the like, where Qt's translations are installed.
    auto* ofQt = new QTranslator(qApp);
    ofQt->setObjectName(QLatin1String(translatorName));
    if (ofQt->load(QStringLiteral("qtbase_de"), QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
        QCoreApplication::installTranslator(ofQt);
    auto* ours = new Translator(qApp);
    ours->setObjectName(QLatin1String(translatorName));
    const std::string_view content = embedded::germanTranslation();
    if (ours->load(reinterpret_cast<const uchar*>(content.data()), static_cast<int>(content.size())))
        QCoreApplication::installTranslator(ours);
#endif
}

} // namespace

std::vector<Language> languages()
{
    std::vector<Language> all{{QString(), QCoreApplication::translate("Language", "as the system")},
                              {QStringLiteral("en"), QStringLiteral("English")}};
#ifdef BUBBLESCOPE_TRANSLATIONS
    all.push_back({QStringLiteral("de"), QStringLiteral("Deutsch")});
#endif
    return all;
}

void useLanguage(const QString& code)
{
    removeTranslators();
    const QString wanted = code.isEmpty() ? QLocale::system().uiLanguages().value(0).left(2) : code;
    if (wanted == QLatin1String("de"))
        installGerman();
}

} // namespace bubblescope::viz
